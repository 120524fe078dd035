package traces

import "slices"

// deleteChunks deletes runs of neighbouring events: halves, quarters, down to single ones. It goes from the back to
// the front, because what comes later depends on what comes earlier and so can go more easily.
func deleteChunks(sh *shrinker) {
	for size := max(1, len(sh.best.Events)/2); size >= 1; size /= 2 {
		for end := len(sh.best.Events); end > 0; {
			start := max(0, end-size)
			if !sh.dropWhere(func(i int, _ *Event) bool { return start <= i && i < end }) && size == 1 {
				sh.dropAlone(start)
			}
			end = min(start, len(sh.best.Events))
		}
	}
}

// dropAlone deletes a submit and leaves what depends on it: its name may have an earlier life that takes it over.
func (sh *shrinker) dropAlone(i int) {
	if sh.best.Events[i].Verb == Submit {
		sh.attempt(func(c *Script) { c.Events = append(c.Events[:i], c.Events[i+1:]...) })
	}
}

// deleteEntities deletes all that belongs to one tenant, one request, one kind of event; then lines of the header.
func deleteEntities(sh *shrinker) {
	for _, t := range slices.Backward(sh.cast.tenants) {
		sh.dropWhere(func(_ int, e *Event) bool { return e.Verb == Submit && e.Tenant == t })
	}
	for _, r := range slices.Backward(sh.cast.requests) {
		sh.dropWhere(func(_ int, e *Event) bool { return e.Name == r })
	}
	for k := range NumVerbs {
		if k != Submit {
			sh.dropWhere(func(_ int, e *Event) bool { return e.Verb == k })
		}
	}
	sh.dropHeaderLines()
}

func (sh *shrinker) dropHeaderLines() {
	sh.attempt(func(c *Script) { c.Workers, c.Tenants = nil, nil })
	for i := len(sh.best.Workers) - 1; i >= 0; i-- {
		sh.attempt(func(c *Script) { c.Workers = slices.Delete(c.Workers, i, i+1) })
	}
	sh.attempt(func(c *Script) { c.Tenants = nil })
	for i := len(sh.best.Tenants) - 1; i >= 0; i-- {
		if !slices.Contains(sh.cast.tenants, sh.best.Tenants[i].Name) { // else a submit would name one not declared
			sh.attempt(func(c *Script) { c.Tenants = slices.Delete(c.Tenants, i, i+1) })
		}
	}
}

// pairLimit bounds the pairs that one call of deletePairs tries: all of them in a script of up to 63 events, pairs
// of ever nearer neighbours in longer ones.
const pairLimit = 2000

// deletePairs deletes two events at once: two that cancel each other out, or of which neither may stand alone.
func deletePairs(sh *shrinker) {
	for j := len(sh.best.Events) - 1; j > 0; j = min(j, len(sh.best.Events)) - 1 {
		near := pairLimit / len(sh.best.Events)
		for i := j - 1; i >= max(0, j-1-near); i-- {
			if sh.dropWhere(func(k int, _ *Event) bool { return k == i || k == j }) {
				break
			}
		}
	}
}
