package shrink

import (
	"cmp"
	"slices"

	"custody/traces"
)

// This file says which of two scripts is the simpler one. Lines count first: they are what a person reads. Then
// words that need not be there, then how large the numbers are, then how far the configuration is from the
// default; names, a drain and the order of events only break ties.

// measures are compared in order; less is simpler.
var measures = [...]func(*traces.Script) int64{
	func(s *traces.Script) int64 { return int64(s.Size()) },
	clauses,
	numbers,
	tokenSum,
	offDefault,
	configHeight,
	nameCount,
}

// simpler tells whether a is strictly simpler than b. It is a strict order in which no script has infinitely many
// simpler ones, so a shrink ends whatever its reductions do.
func simpler(a, b *traces.Script) bool {
	for _, m := range measures {
		if x, y := m(a), m(b); x != y {
			return x < y
		}
	}
	return compareShape(a, b) < 0
}

// clauses counts what could be left out of the lines: anchors, flags, arguments with another value than the
// default. Virtual time, an unknown tenant, and an unreadable line count as such.
func clauses(s *traces.Script) int64 {
	n := 0
	for i := range s.Events {
		e := &s.Events[i]
		if e.When.Kind != traces.Now {
			n++
		}
		if e.Verb == traces.Advance || e.Verb == traces.Nop || e.Tenant == unknownTenant {
			n++
		}
		n += optional(e)
	}
	return int64(n)
}

// optional counts the optional arguments that an event has.
func optional(e *traces.Event) int {
	n := 0
	for _, a := range e.Verb.Args() {
		if a.Optional() && e.Args[a] != a.Default() {
			n++
		}
	}
	return n
}

// numbers adds up the arguments and the lengths of the prompts.
func numbers(s *traces.Script) int64 {
	var n int64
	for i := range s.Events {
		for p := range eventParams(s, i) {
			n += p.distance(s)
		}
	}
	return n
}

// tokenSum adds up the tokens of all prompts.
func tokenSum(s *traces.Script) int64 {
	var n int64
	for i := range s.Events {
		for _, t := range s.Events[i].Prompt {
			n += int64(max(t, -t))
		}
	}
	return n
}

// offDefault counts what a header must say: keys with another value than the default, settings
// of the engine, workers, tenants.
func offDefault(s *traces.Script) int64 {
	n := len(s.Engine.Settings) + len(s.Tenants) + len(s.Workers)
	for k := range s.Config {
		if s.Config[k] != traces.Keys[k].Default {
			n++
		}
	}
	for i := range s.Workers {
		for _, has := range s.Workers[i].Has {
			if has {
				n++
			}
		}
	}
	for i := range s.Tenants {
		if s.Tenants[i].Quota != 0 {
			n++
		}
		if s.Tenants[i].Marker != nil {
			n++
		}
	}
	return int64(n)
}

// configHeight adds up the values that a header must say. A key at its default says nothing, however high that is.
func configHeight(s *traces.Script) int64 {
	var n int64
	for _, p := range headerParams(s) {
		n += p.distance(s)
	}
	return n
}

// nameCount counts the requests and the tenants of the events.
func nameCount(s *traces.Script) int64 {
	c := indexNames(s, nil)
	return int64(len(c.requests) + len(c.tenants))
}

// compareShape orders scripts that are equal in all that counts: the first different event decides, and no drain is
// less than a drain.
func compareShape(a, b *traces.Script) int {
	return cmp.Or(
		slices.CompareFunc(a.Events, b.Events, func(x, y traces.Event) int { return compareEvents(&x, &y) }),
		slices.CompareFunc(a.Tenants, b.Tenants, func(x, y traces.Tenant) int { return compareNames(tenantRank, x.Name, y.Name) }),
	)
}

// compareEvents compares what events do before whom they name: two requests that differ only in their names can
// still be renamed, so their names must not keep the order from being one and the same.
func compareEvents(a, b *traces.Event) int {
	if c := cmp.Or(
		cmp.Compare(a.Verb, b.Verb),
		cmp.Compare(len(a.Prompt), len(b.Prompt)),
		slices.Compare(a.Prompt, b.Prompt),
		compareArgs(&a.Args, &b.Args),
	); c != 0 {
		return c
	}
	return cmp.Or(
		cmp.Compare(a.When.Kind, b.When.Kind),
		cmp.Compare(a.When.N, b.When.N),
		compareNames(tenantRank, a.Tenant, b.Tenant),
		compareNames(requestRank, a.Name, b.Name),
	)
}

func compareArgs(a, b *traces.Args) int {
	for i := range a {
		if x, y := a[i], b[i]; x == y {
			continue
		} else if traces.Arg(i).Wide() {
			return cmp.Compare(uint64(x), uint64(y))
		} else {
			return cmp.Compare(x, y)
		}
	}
	return 0
}
