package shrink

import "custody/traces"

// simplifyTime merges neighbouring lines that let time pass, and turns virtual time into counts of derived events:
// `run 3` says what happens, `+7` says it only to someone who knows all latencies.
func simplifyTime(sh *shrinker) {
	sh.attempt(func(c *traces.Script) {
		for i := len(c.Events) - 2; i >= 0; i-- {
			c.Events = mergeTime(c.Events, i)
		}
	})
	for i := len(sh.best.Events) - 2; i >= 0; i-- {
		sh.attempt(func(c *traces.Script) { c.Events = mergeTime(c.Events, i) })
	}
	for i := len(sh.best.Events) - 1; i >= 0; i-- {
		if sh.best.Events[i].Verb == traces.Advance {
			countTime(sh, i)
		}
	}
}

// mergeTime makes events i and i+1 one, in place, if both count the same thing.
func mergeTime(events []traces.Event, i int) []traces.Event {
	a, b := &events[i], &events[i+1]
	if a.Verb != b.Verb || !passesTime(a) {
		return events
	}
	n := a.Verb.Args()[0]
	if a.Args[n]+b.Args[n] > n.Largest() {
		return events
	}
	a.Args[n] += b.Args[n]
	return append(events[:i+1], events[i+2:]...)
}

// countTime looks for a count of derived events that does what a span of virtual time does. It can be no larger
// than the steps of the whole run; the small ones are tried one by one, the others by doubling.
func countTime(sh *shrinker, i int) {
	const few = 32
	for k := int64(1); k <= min(traces.Count.Largest(), int64(sh.out.Steps)); k = next(k, few) {
		if sh.attempt(func(c *traces.Script) {
			c.Events[i] = traces.Event{Verb: traces.Run, Args: traces.Args{traces.Count: k}}
		}) {
			return
		}
	}
}

func next(k, few int64) int64 {
	if k < few {
		return k + 1
	}
	return 2 * k
}
