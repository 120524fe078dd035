package witness

import (
	"slices"

	"custody/cache"
	"custody/scheduler/protocol"
	"custody/sim/engine"
)

// What comes back: results, refusals and losses.

// Settle implements engine.Engine.
func (w *Engine) Settle(r *protocol.Result) {
	w.Engine.Settle(r)
	o := w.close(r.Op, cache.Settled)
	for _, x := range o.rows {
		if y := &w.lives[x.req.Slot]; !x.refused && y.req == x.req && y.phase != over {
			w.settle(y, &x, r)
		}
	}
	w.hear(cache.ByPreempt)
}

// settle takes in what has settled of a life that is there to have it.
func (w *Engine) settle(x *life, r *row, res *protocol.Result) {
	if x.phase == loads {
		w.loaded(x)
		return
	}
	w.obs.Count(r.req, r.end)
	if w.claims.Publish == engine.PublishSettled || w.claims.Publish == engine.PublishPlanned {
		w.publish(x, r.end, 0)
	}
	if !slices.ContainsFunc(res.Rows, func(y protocol.RowResult) bool { return y.Req == r.req && len(y.Tokens) > 0 }) {
		w.tell(r.req, cache.Advanced, cache.ByChunk)
	}
}

// loaded takes in that a copy has been made: its source, the last block of the table, is given back.
func (w *Engine) loaded(x *life) {
	last := len(x.table) - 1
	source := x.table[last]
	x.table = x.table[:last]
	w.drop(x.req, source)
	w.tell(x.req, cache.Loaded, cache.NoCause)
}

// Refused implements engine.Refusable, for an engine that does.
func (w *Engine) Refused(op cache.OpID, list []protocol.Refusal) {
	w.Engine.(engine.Refusable).Refused(op, list)
	o := w.find(op)
	for _, no := range list {
		for i := range o.rows {
			o.rows[i].refused = o.rows[i].refused || o.rows[i].req == no.Req
		}
		w.withdraw(func(b *block) bool { return b.op == op && b.by == no.Req })
	}
	w.hear(cache.ByRefusal)
}

// Lost implements engine.Loser, for an engine that does.
func (w *Engine) Lost(op cache.OpID, q cache.Queue) {
	w.Engine.(engine.Loser).Lost(op, q)
	for i := 0; i < len(w.ops); {
		if o := &w.ops[i]; o.op == op || o.queue == q && q == cache.PassQueue && o.op > op {
			w.close(o.op, cache.Lost)
		} else {
			i++
		}
	}
	w.hear(cache.ByLoss)
}

// close ends an operation: what it promised is written or withdrawn, what waited for it is released.
func (w *Engine) close(op cache.OpID, k cache.OpKind) operation {
	i := slices.IndexFunc(w.ops, func(o operation) bool { return o.op == op })
	o := w.ops[i]
	w.ops = slices.Delete(w.ops, i, i+1)
	w.obs.Op(k, op, o.queue)
	if k == cache.Lost {
		w.withdraw(func(b *block) bool { return b.op == op })
	}
	for b := range w.blocks {
		if w.blocks[b].op == op {
			w.blocks[b].op = 0
		}
	}
	kept := w.leaving[:0]
	for _, x := range w.leaving {
		if x.after == op {
			w.drop(x.req, x.block)
		} else {
			kept = append(kept, x)
		}
	}
	w.leaving = kept
	return o
}

// accesses are what memory tells of an engine with a witness: who reads and writes, not what the engine lets happen.
type accesses struct{ cache.Observer }

// Block implements cache.Observer.
func (accesses) Block(cache.BlockKind, cache.Req, cache.BlockID, cache.OpID) {}

// Accesses leaves only the accesses to memory of what an observer is told.
func Accesses(o cache.Observer) cache.Observer { return accesses{o} }
