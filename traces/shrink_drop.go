package traces

import "slices"

// This file deletes events together with what depends on them: the events that name a request mean nothing once
// the submit that made it is gone.

// cast says who appears in a script.
type cast struct {
	requests []string // by first use
	tenants  []string // by first use in an event
	request  []int    // by event: the request that it names, an index into requests; -1 if none
	life     []int    // by event: the submit that its request last came from, the event itself included; -1 if none
}

// castOf reads the cast of a script. A submit that was a no-op begins no life; noop may be shorter than the script.
func castOf(s *Script, noop []bool) cast {
	c := cast{request: make([]int, len(s.Events)), life: make([]int, len(s.Events))}
	number := map[string]int{}
	var latest []int // by request: the submit of its present life
	for i := range s.Events {
		e := &s.Events[i]
		if e.Verb == Submit && !slices.Contains(c.tenants, e.Tenant) {
			c.tenants = append(c.tenants, e.Tenant)
		}
		if e.Name == "" {
			c.request[i], c.life[i] = -1, -1
			continue
		}
		r, known := number[e.Name]
		if !known {
			r = len(c.requests)
			number[e.Name] = r
			c.requests, latest = append(c.requests, e.Name), append(latest, -1)
		}
		if e.Verb == Submit && (i >= len(noop) || !noop[i]) {
			latest[r] = i
		}
		c.request[i], c.life[i] = r, latest[r]
	}
	return c
}

// dropWhere tries the best script without the events that go, and without what depends on them. Drains stay: they
// are no lines, and the pass that cuts the tail knows how to treat them.
func (sh *shrinker) dropWhere(goes func(i int, e *Event) bool) bool {
	if sh.exhausted {
		return false
	}
	gone, some := sh.mark(goes)
	if !some {
		return false
	}
	sh.markDependents(gone)
	return sh.attempt(func(c *Script) { c.Events = without(c.Events, gone) })
}

// drop deletes one event.
func (sh *shrinker) drop(i int) bool {
	return sh.dropWhere(func(j int, _ *Event) bool { return j == i })
}

func (sh *shrinker) mark(goes func(i int, e *Event) bool) (gone []bool, some bool) {
	events := sh.best.Events
	gone = make([]bool, len(events))
	for i := range events {
		if events[i].Verb != Drain && goes(i, &events[i]) {
			gone[i], some = true, true
		}
	}
	return gone, some
}

// markDependents marks the events that spoke to a submit that goes, and all events on a request that has no submit
// left. A request that never had one keeps its events: they were left alone on purpose.
func (sh *shrinker) markDependents(gone []bool) {
	events, c := sh.best.Events, &sh.cast
	had, has := make([]bool, len(c.requests)), make([]bool, len(c.requests))
	for i := range events {
		if r := c.request[i]; r >= 0 && events[i].Verb == Submit {
			had[r], has[r] = true, has[r] || !gone[i]
		}
	}
	for i, r := range c.request {
		if r >= 0 && had[r] && (!has[r] || c.life[i] >= 0 && gone[c.life[i]]) {
			gone[i] = true
		}
	}
}

// without removes the events that are gone, in place.
func without(events []Event, gone []bool) []Event {
	kept := events[:0]
	for i := range events {
		if !gone[i] {
			kept = append(kept, events[i])
		}
	}
	return kept
}
