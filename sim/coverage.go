package sim

import (
	"custody/cache"
	"custody/scheduler"
	"custody/traces"
)

// Gap is where a request's last pass stands when something happens to it.
type Gap uint8

// The gaps.
const (
	gapNone   Gap = iota // nothing of it is outstanding
	gapIssued            // issued, not finished
	gapDone              // finished, not settled
	NumGaps
)

// gapNames are the words for the gaps.
var gapNames = [NumGaps]string{"idle", "issued", "finished"}

// Coverage counts what a run has exercised.
type Coverage struct {
	Steps      [NumKinds]int64
	Lifecycle  [scheduler.NumStates][scheduler.NumOns]int64
	Faults     [traces.NumKinds]int64
	Denials    [scheduler.NumReasons]int64         // at the door; NoReason counts the accepted
	Refusals   [scheduler.NumReasons]int64         // by the worker
	Ends       [scheduler.NumReasons]int64         // as told by the engine
	Cancels    [scheduler.NumStates][NumGaps]int64 // cancellation by state and gap
	Preempts   [scheduler.NumStates][NumGaps]int64 // forced preemption by state and gap
	Resets     [2][2]int64                         // [forced][busy]
	NamesAgain int64                               // requests whose name an earlier one had
	Mismatch   [traces.NumKeys]int64               // runs whose worker differed in this key
}

// Add adds another run's counts.
func (c *Coverage) Add(o *Coverage) {
	addAll(c.Steps[:], o.Steps[:])
	for s := range c.Lifecycle {
		addAll(c.Lifecycle[s][:], o.Lifecycle[s][:])
		addAll(c.Cancels[s][:], o.Cancels[s][:])
		addAll(c.Preempts[s][:], o.Preempts[s][:])
	}
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

// cover counts a cancellation or a forced preemption by the request's state and gap.
func (w *world) cover(r cache.Req, k traces.Kind) {
	state, ok := w.sched.Live(r)
	if !ok {
		return
	}
	gap := w.gap(r)
	if k == traces.Cancel {
		w.coverage.Cancels[state][gap]++
	} else {
		w.coverage.Preempts[state][gap]++
	}
}

// gap is where the request's last outstanding operation stands.
func (w *world) gap(r cache.Req) Gap {
	gap, first := gapNone, w.clients[w.bySlot[r.Slot]].req.Gen
	for q := range w.lanes {
		for i := range w.lanes[q].ops {
			o := &w.lanes[q].ops[i]
			for _, x := range o.rows {
				if x.Slot != r.Slot || x.Gen < first { // a refused row of the slot's last owner
					continue
				}
				gap = gapDone
				if !o.finished {
					gap = gapIssued
				}
			}
		}
	}
	return gap
}
