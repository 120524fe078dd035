package traces

import "slices"

// calmFaults makes faults milder: at once instead of at an anchor, requeued instead of final, a tenant that the
// engine knows.
func calmFaults(sh *shrinker) {
	for i := len(sh.best.Events) - 1; i >= 0; i-- {
		sh.unflag(i)
		if sh.best.Events[i].When.Kind != Now {
			sh.unanchor(i)
		}
		if sh.best.Events[i].Tenant == unknownTenant && sh.best.Events[i].Verb == Submit {
			sh.acquaint(i)
		}
	}
}

// unflag takes the flags off an event.
func (sh *shrinker) unflag(i int) {
	if slices.ContainsFunc(sh.best.Events[i].Verb.Args(), sh.best.Events[i].flagged) {
		sh.attempt(func(c *Script) { c.Events[i].unflag() })
	}
}

// flagged tells whether the argument is a flag, and set.
func (e *Event) flagged(a Arg) bool { return a.Type() == Flag && e.Has(a) }

func (e *Event) unflag() {
	for _, a := range e.Verb.Args() {
		if a.Type() == Flag {
			e.Args[a] = 0
		}
	}
}

// unanchor lets an event happen at its line, or at a later one: without its anchor it would come too early.
func (sh *shrinker) unanchor(i int) {
	for to := i; to < len(sh.best.Events) && sh.best.Events[to].Verb != Drain; to++ {
		if sh.attempt(func(c *Script) { moveEvent(c.Events, i, to); c.Events[to].When = Anchor{} }) {
			return
		}
	}
}

func moveEvent(events []Event, from, to int) {
	e := events[from]
	copy(events[from:to], events[from+1:to+1])
	events[to] = e
}

// acquaint gives a request to a tenant that the engine knows.
func (sh *shrinker) acquaint(i int) {
	for _, t := range sh.cast.tenants {
		if t != unknownTenant && sh.attempt(func(c *Script) { c.Events[i].Tenant = t }) {
			return
		}
	}
	if first := tenantName(0); sh.best.knowsTenant(first) {
		sh.attempt(func(c *Script) { c.Events[i].Tenant = first })
	}
}

// defaultConfiguration moves the header toward the default: all of it, then every value alone. What must differ is
// made small.
func defaultConfiguration(sh *shrinker) {
	sh.attempt(func(c *Script) { c.Config, c.Workers, c.Tenants = DefaultConfig(), nil, nil })
	sh.attempt(func(c *Script) { c.Config = DefaultConfig() })
	for i := range sh.best.Tenants {
		if sh.best.Tenants[i].Marker != nil {
			sh.attempt(func(c *Script) { c.Tenants[i].Marker = nil })
		}
	}
	for _, d := range slices.Backward(headerDials(sh.best)) {
		if !sh.attempt(d.unset) {
			sh.lower([]dial{d})
		}
	}
}

// unset makes a value of the header need no word.
func (d dial) unset(c *Script) {
	switch d.of {
	case configDial:
		c.Config[d.arg] = Keys[d.arg].Default
	case workerDial:
		w := &c.Workers[d.index]
		w.Has[d.arg], w.Value[d.arg] = false, 0
	case quotaDial:
		c.Tenants[d.index].Quota = 0
	}
}
