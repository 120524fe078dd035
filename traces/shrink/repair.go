package shrink

import (
	"slices"

	"custody/traces"
)

// The bounds of one call of repair.
const (
	raiseLimit = 2000 // candidates in which a number rises
	mostRise   = 8    // how far it may rise
	boldLimit  = 16   // events in a script for which the other ways are tried: they cost a hundred candidates a line
)

// repair deletes one event and makes up for it elsewhere:
//
//   - a number rises: a longer run for a lost one, a longer prompt for a lost request;
//   - something is made scarce that a lost request had taken;
//   - a fault waits at an anchor for the moment that a lost run led to;
//   - time that a lost run let pass comes later, and a request that had to wait for the end of its namesake, which
//     the run led to, gets a name of its own.
//
// Nothing else makes anything larger, so this is the way out of places where every deletion alone is too much. A line
// is worth any number, any key and any anchor.
func repair(sh *shrinker) {
	for i := len(sh.best.Events) - 1; i >= 0; i-- {
		if i < len(sh.best.Events) && sh.best.Events[i].Verb != traces.Drain {
			repairWithout(sh, i)
		}
	}
}

func repairWithout(sh *shrinker, i int) {
	if raiseFor(sh, i) || len(sh.best.Events) > boldLimit || scarce(sh, lacking(sh, i)) {
		return
	}
	if passesTime(&sh.best.Events[i]) && !anchorFor(sh, i) {
		postponeFor(sh, i)
	}
}

// raiseFor tries the best script without event i, with every param raised in turn.
func raiseFor(sh *shrinker, i int) bool {
	rest := lacking(sh, i)
	lost := int64(0)
	if e := &sh.best.Events[i]; e.Verb == traces.Run {
		lost = e.Args[traces.Count]
	}
	params := raisable(rest)
	rises := raiseLimit / (len(sh.best.Events) * max(1, len(params)))
	for _, p := range params {
		if p.counts() && lost > mostRise && raise(sh, rest, p, lost) {
			return true
		}
		for by := range int64(max(1, min(rises, mostRise))) {
			if raise(sh, rest, p, by+1) {
				return true
			}
		}
	}
	return false
}

// lacking returns a copy of the best script without event i and what depends on it.
func lacking(sh *shrinker, i int) *traces.Script {
	gone := make([]bool, len(sh.best.Events))
	gone[i] = true
	sh.markDependents(gone)
	c := sharing(sh.best)
	c.Events = without(c.Events, gone)
	return c
}

// raise considers the script rest with a param raised. More of a run needs requests that live as long, and their
// limits have just been lowered to what is barely enough; so a run may rise together with all of them.
func raise(sh *shrinker, rest *traces.Script, p param, by int64) bool {
	if sh.exhausted || p.value(rest)+by > p.highest() {
		return false
	}
	c := sh.draft(rest)
	p.set(c, p.value(c)+by)
	if sh.consider(c) {
		return true
	}
	if !p.counts() {
		return false
	}
	c = sh.draft(rest)
	p.set(c, p.value(c)+by)
	for i := range c.Events {
		if e := &c.Events[i]; e.Verb == traces.Submit {
			e.Args[traces.Max] = min(e.Args[traces.Max]+by, traces.Max.Largest())
		}
	}
	return sh.consider(c)
}

// raisable returns the params that may make up for a lost event, runs first: a lost event most often only took time.
func raisable(s *traces.Script) []param {
	var runs, others []param
	for _, p := range allEventParams(s) {
		switch {
		case p.counts():
			runs = append(runs, p)
		case p.of != argParam || !traces.Arg(p.arg).Wide():
			others = append(others, p)
		}
	}
	for _, k := range [...]traces.Key{traces.Block, traces.Chunk} {
		if s.Config[k] == traces.Keys[k].Default {
			others = append(others, param{configParam, 0, int(k)})
		}
	}
	for _, p := range headerParams(s) {
		if p.of == quotaParam || traces.Keys[p.arg].Names == nil && traces.Key(p.arg) != traces.Seed {
			others = append(others, p)
		}
	}
	return append(runs, others...)
}

// scarceKeys are those whose small values make something scarce. A request that only holds a row, or blocks, or part
// of the budget stands for such a value.
var scarceKeys = [...]traces.Key{traces.Rows, traces.Budget, traces.Chunk, traces.Blocks, traces.Block, traces.MaxLen}

// scarce considers the script rest with one key at each of its smallest values.
func scarce(sh *shrinker, rest *traces.Script) bool {
	for _, k := range scarceKeys {
		for v := traces.Keys[k].Min; v < traces.Keys[k].Min+mostRise; v++ {
			if sh.exhausted || v == rest.Config[k] {
				continue
			}
			c := sh.draft(rest)
			if c.Config[k] = v; sh.consider(c) {
				return true
			}
		}
	}
	return false
}

// anchorFor tries the best script without event i, which let time pass, with one later fault at an anchor.
func anchorFor(sh *shrinker, i int) bool {
	for j := i + 1; j < len(sh.best.Events); j++ {
		for _, e := range anchorable(sh, &sh.best.Events[j]) {
			if anchorInstead(sh, i, j, e) {
				return true
			}
		}
	}
	return false
}

// anchorable returns the events that may wait in place of e. A forced reset waits for nothing, but most of what it
// does is to preempt, and a preemption can wait.
func anchorable(sh *shrinker, e *traces.Event) []traces.Event {
	switch {
	case e.Verb.MayWait() && e.When.Kind == traces.Now:
		return []traces.Event{*e}
	case e.Verb == traces.Reset && e.Has(traces.Force):
		var all []traces.Event
		for _, r := range sh.names.requests {
			all = append(all, traces.Event{Verb: traces.Preempt, Name: r})
		}
		return all
	}
	return nil
}

// withTime appends a drain unless some event from i on lets time pass: what waits at an anchor needs time to get there.
func withTime(events []traces.Event, i int) []traces.Event {
	for k := i; k < len(events); k++ {
		if passesTime(&events[k]) || events[k].Verb == traces.Drain {
			return events
		}
	}
	return append(events, traces.Event{Verb: traces.Drain})
}

// anchorInstead tries the first few points of every anchor for e, in the place of event j and without event i.
func anchorInstead(sh *shrinker, i, j int, e traces.Event) bool {
	const few = 3
	for kind := traces.WhenTokens; kind < traces.NumAnchors; kind++ {
		last := int32(few)
		if kind == traces.WhenState {
			last = int32(len(traces.States)) - 1
		}
		for n := int32(1); n <= last; n++ {
			e.When = traces.Anchor{Kind: kind, N: n}
			if sh.attempt(func(c *traces.Script) {
				c.Events[j] = e
				c.Events = withTime(append(c.Events[:i], c.Events[i+1:]...), j)
			}) {
				return true
			}
		}
	}
	return false
}

// postponeFor tries the best script without event i, which let time pass, or with that time in the next line that lets
// time pass: with the lives of requests as they are, then with each later life under a name of its own.
func postponeFor(sh *shrinker, i int) {
	for _, rest := range split(sh, i) {
		if sh.consider(sh.draft(rest)) || scarce(sh, rest) {
			return
		}
		if postpone(rest, i, &sh.best.Events[i]) && (sh.consider(sh.draft(rest)) || scarce(sh, rest)) {
			return
		}
	}
}

// postpone adds the time of e to the first event from i on that counts in the same way.
func postpone(c *traces.Script, i int, e *traces.Event) bool {
	for k := i; k < len(c.Events); k++ {
		if o := &c.Events[k]; o.Verb == e.Verb {
			for _, a := range e.Verb.Args() {
				o.Args[a] = min(o.Args[a]+e.Args[a], a.Largest())
			}
			return true
		}
	}
	return false
}

// split returns the best script without event i, and for each life after it that is not its request's first, one in
// which that life has a fresh name.
func split(sh *shrinker, i int) []*traces.Script {
	all := []*traces.Script{lacking(sh, i)}
	for j := i + 1; j < len(sh.best.Events); j++ {
		if sh.names.life[j] != j || !livedBefore(sh, j) {
			continue
		}
		rest := sharing(sh.best)
		for k := range rest.Events {
			if sh.names.life[k] == j {
				rest.Events[k].Name = freshName(sh)
			}
		}
		rest.Events = append(rest.Events[:i], rest.Events[i+1:]...)
		all = append(all, rest)
	}
	return all
}

// livedBefore tells whether the request that event j submits has had an earlier life.
func livedBefore(sh *shrinker, j int) bool {
	for k := range j {
		if sh.names.life[k] == k && sh.names.request[k] == sh.names.request[j] {
			return true
		}
	}
	return false
}

// freshName is a request's name that the best script does not use.
func freshName(sh *shrinker) string {
	n := 0
	for slices.Contains(sh.names.requests, requestName(n)) {
		n++
	}
	return requestName(n)
}
