package slots

import (
	"custody/cache"
	"custody/scheduler"
	"custody/scheduler/protocol"
)

// Plan implements engine.Engine: the next pass of the batch, or the first one of the next batch.
func (e *Engine) Plan(dst *protocol.Plan) bool {
	dst.Reset()
	if len(e.flight) > 0 {
		return false
	}
	if e.over() {
		e.given = 0
		e.admit()
	}
	budget := e.budget
	for _, slot := range e.batch {
		budget -= e.row(dst, slot, budget)
	}
	if len(dst.Rows) > 0 {
		e.passes++
		dst.Op = e.passes
	}
	dst.Ended, e.ended = append(dst.Ended, e.ended...), nil
	return dst.Op != 0 || len(dst.Ended) > 0
}

// over tells whether the memory of the batch is free.
func (e *Engine) over() bool {
	if !e.Hasty {
		return len(e.batch) == 0
	}
	for _, slot := range e.batch {
		if x := &e.table[slot]; x.computed < x.positions()-1 { // the last position counts as written, and is still to come
			return false
		}
	}
	return true
}

// admit fills the batch from the queue, one region behind the other, until somebody does not fit.
func (e *Engine) admit() {
	for len(e.queue) > 0 && len(e.batch) < e.batchSize {
		x := &e.table[e.queue[0]]
		need := cache.BlockID((x.positions() + e.size - 1) / e.size)
		if e.given+need > cache.BlockID(e.blocks) {
			return
		}
		x.state, x.region = scheduler.Prefill, nil
		for range need {
			x.region = append(x.region, e.given)
			e.given++
		}
		e.batch, e.queue = append(e.batch, e.queue[0]), e.queue[1:]
	}
}

// row plans a request's next positions, and returns how many.
func (e *Engine) row(dst *protocol.Plan, slot, budget int32) int32 {
	x := &e.table[slot]
	known := int32(len(x.tokens))
	n := min(known-x.computed, budget)
	if e.chunk > 0 {
		n = min(n, e.chunk)
	}
	if n == 0 {
		return 0
	}
	row := dst.Add()
	*row = protocol.Row{
		Req: e.life(slot), New: !x.bound, ID: x.id, Sampling: x.sampling, Start: x.computed, N: n, Sample: x.computed+n == known,
	}
	if x.bound {
		row.Tokens = tell(x.tokens[x.told:]) // what the worker does not know yet
	} else {
		row.Tokens, row.Blocks, x.bound = tell(x.tokens), x.region, true
	}
	x.told, x.planned = len(x.tokens), x.computed+n
	e.flight = append(e.flight, row.Req)
	return n
}

func tell(tokens []cache.Token) (list []protocol.TokenRef) {
	for _, t := range tokens {
		list = append(list, protocol.TokenRef{Token: t})
	}
	return list
}
