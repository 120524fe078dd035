package shrink

import "custody/traces"

// cutTail drops what stands after the event in which the wanted failure happened, and looks for the shortest ending.
// A drain is no line, so a script that ends with one is shorter than a script that runs to the same place.
func cutTail(sh *shrinker) {
	n := min(sh.out.Has(sh.want).Last+1, len(sh.best.Events))
	if !endAt(sh, n, false) {
		endAt(sh, n, true)
	}
	endAt(sh, lastDeed(sh.best), true)
}

// endAt tries the first n events of the best script, without their drains, and with one at the end if drain is set.
func endAt(sh *shrinker, n int, drain bool) bool {
	return sh.attempt(func(c *traces.Script) {
		kept := c.Events[:0]
		for _, e := range c.Events[:n] {
			if e.Verb != traces.Drain {
				kept = append(kept, e)
			}
		}
		if drain {
			kept = append(kept, traces.Event{Verb: traces.Drain})
		}
		c.Events = kept
	})
}

// lastDeed returns how many events there are up to the last one that does more than let time pass.
func lastDeed(s *traces.Script) int {
	for n := len(s.Events); n > 0; n-- {
		if e := &s.Events[n-1]; !passesTime(e) && e.Verb != traces.Drain {
			return n
		}
	}
	return 0
}

// passesTime tells whether an event lets derived events happen and does nothing by itself.
func passesTime(e *traces.Event) bool { return e.Verb == traces.Run || e.Verb == traces.Advance }
