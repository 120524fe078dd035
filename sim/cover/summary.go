package cover

import (
	"fmt"

	"custody/invariants"
	"custody/scheduler"
	"custody/scheduler/protocol"
	"custody/sim"
	"custody/traces"
)

// Summary is what a campaign of seeds has shown. Add the seeds in their order: the digest covers them in order.
type Summary struct {
	Seeds      int
	Violations int // seeds that broke a promise
	Work       sim.Work
	Ticks      sim.Time
	Checks     [invariants.NumPromises]int64
	Unchecked  [invariants.NumPromises]bool  // the engine hides what it takes to check them
	Broken     [invariants.NumPromises]int64 // seeds, by promise
	Extra      map[string]int64              // seeds, by a user's promise
	Coverage   Coverage
	Digest     traces.Digest

	seedsOf []int64 // by cell of Coverage.Cells: seeds that exercised it
}

// Add takes in one seed's result, and what it has exercised.
func (s *Summary) Add(r *sim.Result, c *Coverage) {
	s.Seeds++
	if !r.OK() {
		s.Violations++
	}
	s.addWork(&r.Work)
	s.Ticks += r.Ticks
	addAll(s.Checks[:], r.Checks[:])
	for _, id := range r.Unchecked {
		s.Unchecked[id] = true
	}
	for i := range r.Breaches {
		if b := &r.Breaches[i]; b.Extra == 0 {
			s.Broken[b.Promise]++
		} else {
			s.brokenExtra(r.PromiseName(b))
		}
	}
	s.Coverage.Add(c)
	s.countCells(c)
	s.Digest.AddString(r.Digest.String())
}

// NotChecked are the names of the promises of which nothing can be said: their silence is no evidence.
func (s *Summary) NotChecked() (names []string) {
	for id, unchecked := range s.Unchecked {
		if unchecked {
			names = append(names, invariants.Statements[id].Name)
		}
	}
	return names
}

func (s *Summary) brokenExtra(name string) {
	if s.Extra == nil {
		s.Extra = map[string]int64{}
	}
	s.Extra[name]++
}

func (s *Summary) addWork(o *sim.Work) {
	w := &s.Work
	w.Steps += o.Steps
	w.Passes += o.Passes
	w.Copies += o.Copies
	w.Tokens += o.Tokens
	w.Reads += o.Reads
}

// Missing lists what a campaign could have exercised and has not. Silence about it would be no evidence.
func (c *Coverage) Missing() []string {
	var missing []string
	c.Cells(func(n int64, format string, args ...any) {
		if n == 0 {
			missing = append(missing, fmt.Sprintf(format, args...))
		}
	})
	return missing
}

// Cells visits everything that a campaign can exercise, with how often it has: transitions of the lifecycle, reasons of
// the table of refusals, faults, the cells of the interrupt matrix, marks, mismatches.
func (c *Coverage) Cells(visit func(n int64, format string, args ...any)) {
	for _, t := range scheduler.Lifecycle {
		visit(c.Lifecycle[t.From][t.On], "transition: %s in state %s", t.On, t.From)
	}
	for _, d := range protocol.Denials {
		if d.Why != protocol.NoRow { // only a broken engine gives it
			visit(c.Denials[d.Why]+c.Refusals[d.Why], "refusal: %s", d.Name)
		}
	}
	for _, v := range sim.Verbs {
		if v.Strikes {
			visit(c.Faults[v.Verb], "fault: %s", v.Verb)
		}
	}
	c.Interrupts.Visit(func(x Cell, n int64) {
		if x.Impossible() == "" && !x.Scripted() {
			visit(n, "sweep: %s in state %s, gap %s, depth %d", x.On, x.State, x.Phase, x.Depth)
		}
	})
	for i := range invariants.Marks {
		m := &invariants.Marks[i]
		visit(c.Marks[m.Mark], "mark: %s", m.Name)
	}
	for k := range traces.NumKeys {
		if traces.Keys[k].Worker {
			visit(c.Mismatch[k], "mismatch: a worker with another %s", traces.Keys[k].Name)
		}
	}
	visit(c.NamesAgain, "a name used again")
	for forced, when := range []string{"reset", "forced reset"} {
		visit(c.Resets[forced][0], "%s of an idle engine", when)
		visit(c.Resets[forced][1], "%s with work in flight", when)
	}
}
