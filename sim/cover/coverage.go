package cover

import (
	"custody/invariants"
	"custody/scheduler"
	"custody/scheduler/protocol"
	"custody/sim"
	"custody/traces"
)

// Coverage counts what a run has exercised.
type Coverage struct {
	Steps      [sim.NumSteps]int64
	Lifecycle  [scheduler.NumStates][scheduler.NumOns]int64
	Faults     [traces.NumVerbs]int64     // that struck; cancellations and forced preemptions that applied
	Denials    [protocol.NumReasons]int64 // at the door; NoReason counts the accepted
	Refusals   [protocol.NumReasons]int64 // by the worker
	Ends       [protocol.NumReasons]int64 // as told by the engine
	Interrupts Matrix
	Marks      [invariants.NumMarks]int64 // runs that reached it
	Resets     [2][2]int64                // [forced][busy]
	NamesAgain int64                      // requests whose name an earlier one had
	Mismatch   [traces.NumKeys]int64      // runs whose worker differed in this key
}

// Add adds another run's counts.
func (c *Coverage) Add(o *Coverage) {
	addAll(c.Steps[:], o.Steps[:])
	for s := range c.Lifecycle {
		addAll(c.Lifecycle[s][:], o.Lifecycle[s][:])
	}
	c.Interrupts.add(&o.Interrupts)
	addAll(c.Marks[:], o.Marks[:])
	addAll(c.Faults[:], o.Faults[:])
	addAll(c.Denials[:], o.Denials[:])
	addAll(c.Refusals[:], o.Refusals[:])
	addAll(c.Ends[:], o.Ends[:])
	addAll(c.Resets[0][:], o.Resets[0][:])
	addAll(c.Resets[1][:], o.Resets[1][:])
	addAll(c.Mismatch[:], o.Mismatch[:])
	c.NamesAgain += o.NamesAgain
}

func addAll(to, from []int64) {
	for i, n := range from {
		to[i] += n
	}
}
