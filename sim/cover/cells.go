package cover

import (
	"slices"

	"custody/scheduler"
	"custody/sim"
)

// impossible lists the cells that cannot be although the lifecycle has the transition, and why. Depth 0 is both.
var impossible = []struct {
	Cell
	why string
}{

	{Cell{scheduler.OnCancel, scheduler.Waiting, sim.PhaseIssued, 0}, neverIssued},
	{Cell{scheduler.OnCancel, scheduler.Waiting, sim.PhaseFinished, 0}, neverIssued},
	{Cell{scheduler.OnCancel, scheduler.Loading, sim.PhaseIdle, 0}, isCopying},
	{Cell{scheduler.OnPreempt, scheduler.Loading, sim.PhaseIdle, 0}, isCopying},
	{Cell{scheduler.OnCancel, scheduler.Loaded, sim.PhaseIssued, 0}, hasCopied},
	{Cell{scheduler.OnCancel, scheduler.Loaded, sim.PhaseFinished, 0}, hasCopied},
	{Cell{scheduler.OnPreempt, scheduler.Loaded, sim.PhaseIssued, 0}, hasCopied},
	{Cell{scheduler.OnPreempt, scheduler.Loaded, sim.PhaseFinished, 0}, hasCopied},
	{Cell{scheduler.OnRequeue, scheduler.Decode, sim.PhaseIssued, 1}, onePass},
	{Cell{scheduler.OnRequeue, scheduler.Decode, sim.PhaseFinished, 1}, onePass},
	{Cell{scheduler.OnRefuse, scheduler.Decode, sim.PhaseIssued, 1}, onePass},
	{Cell{scheduler.OnRefuse, scheduler.Decode, sim.PhaseFinished, 1}, onePass},
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
// outstanding. TestTheMatrixReachesEveryCellThatCanBe has a script for each; no campaign is asked to reach them.
var scripted = []Cell{
	{scheduler.OnRequeue, scheduler.Prefill, sim.PhaseIssued, 1},
	{scheduler.OnRefuse, scheduler.Prefill, sim.PhaseIssued, 1},
	{scheduler.OnRequeue, scheduler.Prefill, sim.PhaseFinished, 1},
	{scheduler.OnRefuse, scheduler.Prefill, sim.PhaseFinished, 1},
	{scheduler.OnRequeue, scheduler.Prefill, sim.PhaseFinished, 2},
	{scheduler.OnRefuse, scheduler.Prefill, sim.PhaseFinished, 2},
	{scheduler.OnRequeue, scheduler.Decode, sim.PhaseFinished, 2},
	{scheduler.OnRefuse, scheduler.Decode, sim.PhaseFinished, 2},
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
