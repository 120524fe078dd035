package shrink

import "custody/traces"

// pairLimit bounds the pairs that one call of deletePairs tries: all of them in a script of up to 63 events, pairs
// of ever nearer neighbours in longer ones.
const pairLimit = 2000

// deletePairs deletes two events at once: two that cancel each other out, or of which neither may stand alone.
func deletePairs(sh *shrinker) {
	for j := len(sh.best.Events) - 1; j > 0; j = min(j, len(sh.best.Events)) - 1 {
		near := pairLimit / len(sh.best.Events)
		for i := j - 1; i >= max(0, j-1-near); i-- {
			if sh.dropWhere(func(k int, _ *traces.Event) bool { return k == i || k == j }) {
				break
			}
		}
	}
}
