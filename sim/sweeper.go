package sim

import (
	"custody/cache"
	"custody/scheduler"
)

// cover counts a transition of the lifecycle as it is made, and where it is one of the sweep's events, its cell.
func (w *world) cover(r cache.Req, t scheduler.Transition) {
	w.coverage.Lifecycle[t.From][t.On]++
	if i := sweptIndex(t.On); i >= 0 {
		w.sweep(i, r, t.From)
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
