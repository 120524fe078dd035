package slots

import (
	"custody/cache"
	"custody/scheduler"
	"custody/scheduler/protocol"
)

// Settle implements engine.Engine: what the pass has computed is in memory, and there may be tokens.
func (e *Engine) Settle(r *protocol.Result) {
	e.flight = e.flight[:0]
	for _, got := range r.Rows {
		if slot := got.Req.Slot; e.life(slot) == got.Req { // else it was cancelled meanwhile
			e.take(slot, got.Tokens)
		}
	}
}

// take takes in what a pass has brought a request.
func (e *Engine) take(slot int32, tokens []cache.Token) {
	x := &e.table[slot]
	x.computed = x.planned
	for _, t := range tokens {
		x.state, x.tokens = scheduler.Decode, append(x.tokens, t)
		e.out = append(e.out, protocol.Output{Req: e.life(slot), Token: t})
		switch {
		case t == x.eos:
			e.end(slot, protocol.Stopped)
			return
		case int32(len(x.tokens)) == x.limit:
			e.end(slot, protocol.LengthEnd)
			return
		}
	}
}
