package sim

import (
	"custody/cache"
	"custody/scheduler"
)

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
