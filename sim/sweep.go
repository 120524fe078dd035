package sim

import (
	"slices"

	"custody/scheduler"
)

// The sweep: what takes a request away from what it was doing (cancellation, preemption, a worker's refusal), by the
// state that it finds the request in, by where the request's last operation stands, and by whether the engine may have
// more than one pass outstanding. Real engines break in these cells, so a campaign's silence is worth the cells that it
// has been in.

// Gap is where the last operation that was issued for a request stands. For a refusal it is the last one before the
// refused: the refused pass itself is always issued and not finished.
type Gap uint8

// The gaps.
const (
	gapNone   Gap = iota // settled or lost, or none was ever issued
	gapIssued            // issued, not finished
	gapDone              // finished, not settled
	NumGaps
)

// gapNames are the words for the gaps.
var gapNames = [NumGaps]string{"idle", "issued", "finished"}

func (g Gap) String() string { return gapNames[g] }

// numDepths is how many depths the sweep tells apart: one pass outstanding at once, and two or more.
const numDepths = 2

// sweptEvents are the events of the sweep.
var sweptEvents = [...]scheduler.On{scheduler.OnCancel, scheduler.OnPreempt, scheduler.OnRequeue, scheduler.OnRefuse}

// Sweep counts the events by index in sweptEvents, state, gap, and depth below numDepths from 0.
type Sweep [len(sweptEvents)][scheduler.NumStates][NumGaps][numDepths]int64

// Cell is a cell of the sweep.
type Cell struct {
	On    scheduler.On
	State scheduler.State
	Gap   Gap
	Depth int // 1, or 2 for two and more
}

// Visit visits the cells of all transitions of the lifecycle, with their counts.
func (s *Sweep) Visit(visit func(c Cell, n int64)) {
	for _, t := range scheduler.Lifecycle {
		i := sweptIndex(t.On)
		if i < 0 {
			continue
		}
		for depth := range numDepths {
			for g := range NumGaps {
				visit(Cell{t.On, t.From, g, depth + 1}, s[i][t.From][g][depth])
			}
		}
	}
}

// sweptIndex is the event's index in the sweep, or -1.
func sweptIndex(on scheduler.On) int { return slices.Index(sweptEvents[:], on) }

func (s *Sweep) add(o *Sweep) {
	for i := range s {
		for state := range s[i] {
			for g := range s[i][state] {
				addAll(s[i][state][g][:], o[i][state][g][:])
			}
		}
	}
}
