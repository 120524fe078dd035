package sim

import (
	"slices"

	"custody/cache"
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

// impossible lists the cells that cannot be although the lifecycle has the transition, and why. Depth 0 is both.
var impossible = []struct {
	Cell
	why string
}{
	{Cell{scheduler.OnCancel, scheduler.Waiting, gapIssued, 0}, neverIssued},
	{Cell{scheduler.OnCancel, scheduler.Waiting, gapDone, 0}, neverIssued},
	{Cell{scheduler.OnCancel, scheduler.Loading, gapNone, 0}, isCopying},
	{Cell{scheduler.OnPreempt, scheduler.Loading, gapNone, 0}, isCopying},
	{Cell{scheduler.OnCancel, scheduler.Loaded, gapIssued, 0}, hasCopied},
	{Cell{scheduler.OnCancel, scheduler.Loaded, gapDone, 0}, hasCopied},
	{Cell{scheduler.OnPreempt, scheduler.Loaded, gapIssued, 0}, hasCopied},
	{Cell{scheduler.OnPreempt, scheduler.Loaded, gapDone, 0}, hasCopied},
	{Cell{scheduler.OnRequeue, scheduler.Decode, gapIssued, 1}, onePass},
	{Cell{scheduler.OnRequeue, scheduler.Decode, gapDone, 1}, onePass},
	{Cell{scheduler.OnRefuse, scheduler.Decode, gapIssued, 1}, onePass},
	{Cell{scheduler.OnRefuse, scheduler.Decode, gapDone, 1}, onePass},
}

// The reasons.
const (
	neverIssued = "no operation has been issued for a request that waits for the first time"
	isCopying   = "it is loading from the issue of its copy until that has settled"
	hasCopied   = "its last operation is the copy, and that has settled"
	onePass     = "its last pass has settled before the next one, which is refused, is issued"
)

// scripted lists the cells that can be, and that campaigns come by less than once in 10,000 seeds: the worker would have to
// refuse in the one tick between the finish and the settling of the pass before, or while a copy for an earlier life is
// outstanding. TestTheSweepReachesEveryCellThatCanBe has a script for each; no campaign is asked to reach them.
var scripted = []Cell{
	{scheduler.OnRequeue, scheduler.Prefill, gapIssued, 1},
	{scheduler.OnRefuse, scheduler.Prefill, gapIssued, 1},
	{scheduler.OnRequeue, scheduler.Prefill, gapDone, 1},
	{scheduler.OnRefuse, scheduler.Prefill, gapDone, 1},
	{scheduler.OnRequeue, scheduler.Prefill, gapDone, 2},
	{scheduler.OnRefuse, scheduler.Prefill, gapDone, 2},
	{scheduler.OnRequeue, scheduler.Decode, gapDone, 2},
	{scheduler.OnRefuse, scheduler.Decode, gapDone, 2},
}

// Scripted tells whether it takes a script made for it to reach the cell.
func (c Cell) Scripted() bool { return slices.Contains(scripted, c) }

// Impossible says why the cell cannot be; "" if it can.
func (c Cell) Impossible() string {
	both := c
	both.Depth = 0
	for _, x := range impossible {
		if x.Cell == c || x.Cell == both {
			return x.why
		}
	}
	return ""
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

// sweeper stands between the scheduler and whoever watches it, and counts the events of the sweep as they happen.
type sweeper struct {
	cache.Observer
	world *world
}

// Life implements cache.Observer.
func (s *sweeper) Life(r cache.Req, from, to, on uint8) {
	s.Observer.Life(r, from, to, on)
	if i := sweptIndex(scheduler.On(on)); i >= 0 {
		s.world.sweep(i, r, scheduler.State(from))
	}
}

// sweep counts an event. A refused pass does not carry the request any more.
func (w *world) sweep(event int, r cache.Req, from scheduler.State) {
	c := &w.clients[w.bySlot[r.Slot]]
	if on := sweptEvents[event]; on == scheduler.OnRequeue || on == scheduler.OnRefuse {
		c.last = c.prior
	}
	w.coverage.Sweep[event][from][w.gapOf(c.last)][min(w.scheduler.Depth, numDepths)-1]++
}

// gapOf is where an operation stands.
func (w *world) gapOf(op cache.OpID) Gap {
	for q := range w.lanes {
		for i := range w.lanes[q].ops {
			if o := &w.lanes[q].ops[i]; o.op == op {
				if o.finished {
					return gapDone
				}
				return gapIssued
			}
		}
	}
	return gapNone
}
