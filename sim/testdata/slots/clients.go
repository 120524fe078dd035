package slots

import (
	"custody/cache"
	"custody/scheduler"
	"custody/scheduler/protocol"
	"custody/sim/engine"
)

// Submit implements engine.Engine.
func (e *Engine) Submit(_ engine.Time, s *protocol.Spec) (cache.Req, protocol.Reason) {
	slot := int32(0)
	for e.inUse(slot) {
		slot++
	}
	e.table[slot].begin(s, e.maxLen)
	e.queue = append(e.queue, slot)
	return e.life(slot), protocol.NoReason
}

// inUse tells whether an entry of the table is a request's, or still named by a pass.
func (e *Engine) inUse(slot int32) bool {
	for _, r := range e.flight {
		if r.Slot == slot {
			return true
		}
	}
	return e.table[slot].state != scheduler.Absent
}

// Cancel implements engine.Engine.
func (e *Engine) Cancel(r cache.Req) bool {
	if e.life(r.Slot) != r || e.table[r.Slot].state == scheduler.Absent {
		return false
	}
	e.end(r.Slot, protocol.Cancelled)
	return true
}

// end tells the client, and forgets the request. What it held stays with its batch.
func (e *Engine) end(slot int32, why protocol.Reason) {
	x := &e.table[slot]
	e.out = append(e.out, protocol.Output{Req: e.life(slot), Why: why})
	if x.bound {
		e.ended = append(e.ended, e.life(slot))
	}
	e.queue, e.batch = without(e.queue, slot), without(e.batch, slot)
	*x = request{gen: x.gen + 1}
}

// View implements engine.Engine.
func (e *Engine) View(r cache.Req) engine.View {
	return engine.View{State: e.table[r.Slot].state, Life: e.life(r.Slot)}
}

func (e *Engine) life(slot int32) cache.Req { return cache.Req{Slot: slot, Gen: e.table[slot].gen} }

// Outputs implements engine.Engine.
func (e *Engine) Outputs() []protocol.Output {
	out := e.out
	e.out = nil
	return out
}

// ResetPrefix implements engine.Engine: there is no prefix cache.
func (e *Engine) ResetPrefix(bool) bool { return false }

// More implements engine.Engine: nothing changes by itself.
func (e *Engine) More() bool { return false }

// Attach implements engine.Engine: it reports no facts.
func (e *Engine) Attach(cache.Observer) {}
