package cover

import (
	"custody/scheduler"
	"custody/sim"
)

// The interrupt matrix: what takes a request away from what it was doing (cancellation, preemption, a worker's refusal), by the
// state that it finds the request in, by where the request's last operation stands, and by whether the engine may have
// more than one pass outstanding. Real engines break in these cells, so a campaign's silence is worth the cells that it
// has been in.

// numDepths is how many depths the matrix tells apart: one pass outstanding at once, and two or more.
const numDepths = 2

// interrupts are the events of the matrix.
var interrupts = [...]scheduler.On{scheduler.OnCancel, scheduler.OnPreempt, scheduler.OnRequeue, scheduler.OnRefuse}

// Matrix counts the interrupts by index, state, phase of the request's last operation, and depth below numDepths from 0.
type Matrix [len(interrupts)][scheduler.NumStates][sim.NumPhases][numDepths]int64

// Cell is a cell of the interrupt matrix. For a refusal the phase is that of the last operation before the refused: the
// refused pass itself is always issued and not finished.
type Cell struct {
	On    scheduler.On
	State scheduler.State
	Phase sim.OpPhase
	Depth int // 1, or 2 for two and more
}

// Visit visits the cells of all transitions of the lifecycle, with their counts.
func (s *Matrix) Visit(visit func(c Cell, n int64)) {
	for _, t := range scheduler.Lifecycle {
		i := interruptIndex(t.On)
		if i < 0 {
			continue
		}
		for depth := range numDepths {
			for g := range sim.NumPhases {
				visit(Cell{t.On, t.From, g, depth + 1}, s[i][t.From][g][depth])
			}
		}
	}
}

// interruptIndex is the event's index in the matrix, or -1.
func interruptIndex(on scheduler.On) int { return int(indexOf[on]) - 1 }

// indexOf holds one more than an event's index: it is asked at every transition.
var indexOf = func() (of [scheduler.NumOns]int8) {
	for i, on := range interrupts {
		of[on] = int8(i + 1)
	}
	return of
}()

func (s *Matrix) add(o *Matrix) {
	for i := range s {
		for state := range s[i] {
			for g := range s[i][state] {
				addAll(s[i][state][g][:], o[i][state][g][:])
			}
		}
	}
}
