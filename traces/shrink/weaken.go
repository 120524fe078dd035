package shrink

import (
	"slices"

	"custody/traces"
)

// weakenFaults makes faults milder: at once instead of at an anchor, requeued instead of final, a tenant that the
// engine knows.
func weakenFaults(sh *shrinker) {
	for i := len(sh.best.Events) - 1; i >= 0; i-- {
		unflag(sh, i)
		if sh.best.Events[i].When.Kind != traces.Now {
			unanchor(sh, i)
		}
		if sh.best.Events[i].Tenant == unknownTenant && sh.best.Events[i].Verb == traces.Submit {
			acquaint(sh, i)
		}
	}
}

// unflag takes the flags off an event.
func unflag(sh *shrinker, i int) {
	e := &sh.best.Events[i]
	if slices.ContainsFunc(e.Verb.Args(), func(a traces.Arg) bool { return a.Flag() && e.Has(a) }) {
		sh.attempt(func(c *traces.Script) { clearFlags(&c.Events[i]) })
	}
}

func clearFlags(e *traces.Event) {
	for _, a := range e.Verb.Args() {
		if a.Flag() {
			e.Args[a] = 0
		}
	}
}

// unanchor lets an event happen at its line, or at a later one: without its anchor it would come too early.
func unanchor(sh *shrinker, i int) {
	for to := i; to < len(sh.best.Events) && sh.best.Events[to].Verb != traces.Drain; to++ {
		if sh.attempt(func(c *traces.Script) { moveEvent(c.Events, i, to); c.Events[to].When = traces.Anchor{} }) {
			return
		}
	}
}

func moveEvent(events []traces.Event, from, to int) {
	e := events[from]
	copy(events[from:to], events[from+1:to+1])
	events[to] = e
}

// acquaint gives a request to a tenant that the engine knows.
func acquaint(sh *shrinker, i int) {
	for _, t := range sh.names.tenants {
		if t != unknownTenant && sh.attempt(func(c *traces.Script) { c.Events[i].Tenant = t }) {
			return
		}
	}
	if first := tenantName(0); mayName(sh.best, first) {
		sh.attempt(func(c *traces.Script) { c.Events[i].Tenant = first })
	}
}

// mayName tells whether a submit may name a tenant that the engine knows: any if none is declared.
func mayName(s *traces.Script, tenant string) bool {
	return len(s.Tenants) == 0 || slices.ContainsFunc(s.Tenants, func(t traces.Tenant) bool { return t.Name == tenant })
}
