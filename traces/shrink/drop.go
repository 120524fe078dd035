package shrink

import (
	"custody/traces"
)

// This file deletes events together with what depends on them: the events that name a request mean nothing once
// the submit that made it is gone.

// dropWhere tries the best script without the events that go, and without what depends on them. Drains stay: they
// are no lines, and the reduction that cuts the tail knows how to treat them.
func (sh *shrinker) dropWhere(goes func(i int, e *traces.Event) bool) bool {
	if sh.exhausted {
		return false
	}
	gone, some := sh.mark(goes)
	if !some {
		return false
	}
	sh.markDependents(gone)
	return sh.attempt(func(c *traces.Script) { c.Events = without(c.Events, gone) })
}

// drop deletes one event.
func (sh *shrinker) drop(i int) bool {
	return sh.dropWhere(func(j int, _ *traces.Event) bool { return j == i })
}

func (sh *shrinker) mark(goes func(i int, e *traces.Event) bool) (gone []bool, some bool) {
	events := sh.best.Events
	gone = make([]bool, len(events))
	for i := range events {
		if events[i].Verb != traces.Drain && goes(i, &events[i]) {
			gone[i], some = true, true
		}
	}
	return gone, some
}

// markDependents marks the events that spoke to a submit that goes, and all events on a request that has no submit
// left. A request that never had one keeps its events: they were left alone on purpose.
func (sh *shrinker) markDependents(gone []bool) {
	events, c := sh.best.Events, &sh.names
	had, has := make([]bool, len(c.requests)), make([]bool, len(c.requests))
	for i := range events {
		if r := c.request[i]; r >= 0 && events[i].Verb == traces.Submit {
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
func without(events []traces.Event, gone []bool) []traces.Event {
	kept := events[:0]
	for i := range events {
		if !gone[i] {
			kept = append(kept, events[i])
		}
	}
	return kept
}
