package shrink

import "custody/traces"

// deleteChunks deletes runs of neighbouring events: halves, quarters, down to single ones. It goes from the back to
// the front, because what comes later depends on what comes earlier and so can go more easily.
func deleteChunks(sh *shrinker) {
	for size := max(1, len(sh.best.Events)/2); size >= 1; size /= 2 {
		for end := len(sh.best.Events); end > 0; {
			start := max(0, end-size)
			if !sh.dropWhere(func(i int, _ *traces.Event) bool { return start <= i && i < end }) && size == 1 {
				dropAlone(sh, start)
			}
			end = min(start, len(sh.best.Events))
		}
	}
}

// dropAlone deletes a submit and leaves what depends on it: its name may have an earlier life that takes it over.
func dropAlone(sh *shrinker, i int) {
	if sh.best.Events[i].Verb == traces.Submit {
		sh.attempt(func(c *traces.Script) { c.Events = append(c.Events[:i], c.Events[i+1:]...) })
	}
}
