package witness

import (
	"slices"

	"custody/cache"
	"custody/scheduler/protocol"
	"custody/sim/engine"
)

// What a plan shows: who has lost blocks for it, and who has been given some.

// Plan implements engine.Engine. Whoever is not there any more has given blocks back before others were given them.
func (w *Engine) Plan(dst *protocol.Plan) bool {
	planned := w.Engine.Plan(dst)
	w.leave(cache.ByPreempt)
	if planned && dst.Op != 0 {
		w.issue(dst)
	}
	w.seat()
	return planned
}

func (w *Engine) issue(p *protocol.Plan) {
	o := operation{op: p.Op, queue: p.Queue}
	for i := range p.Copies {
		w.copies(&o, &p.Copies[i])
	}
	for i := range p.Rows {
		w.row(&o, &p.Rows[i])
	}
	w.ops = append(w.ops, o)
}

// carry notes that an operation carries a request, and returns its life if it is the present one.
func (w *Engine) carry(o *operation, r row) *life {
	o.rows = append(o.rows, r)
	x := &w.lives[r.req.Slot]
	if x.phase == over || x.req != r.req {
		return nil // the worker will do what the plan says, and the ledger will see
	}
	x.last = o.op
	return x
}

// copies takes in a copy for a request that has no row yet. What it holds beside the copy's target was found.
func (w *Engine) copies(o *operation, c *protocol.Copy) {
	x := w.carry(o, row{req: c.Req})
	if x == nil {
		return
	}
	for _, b := range c.Table {
		if b == c.To {
			w.alloc(x, b)
		} else {
			w.adopt(x, b)
		}
	}
	w.tell(x.req, cache.Loading, cache.NoCause)
	x.phase, x.filed = loads, int32(len(c.Table))-2
}

// row takes in what a row of a pass has been given. In a table that is sent whole, what is new below the row's start was found:
// the row rests on it.
func (w *Engine) row(o *operation, p *protocol.Row) {
	x := w.carry(o, row{req: p.Req, end: p.Start + p.N})
	if x == nil {
		return
	}
	fresh := p.New || p.Resumed
	given, whole := p.Blocks, fresh || p.Whole
	if whole {
		given = w.keep(x, given)
	}
	for _, b := range given {
		if whole && (int32(len(x.table))+1)*w.size <= p.Start {
			w.adopt(x, b)
		} else {
			w.alloc(x, b)
		}
	}
	if fresh {
		x.filed = min(p.Start/w.size, int32(len(x.table)))
	}
	if x.phase != runs {
		w.run(x)
	}
	if w.claims.Publish == engine.PublishPlanned {
		w.publish(x, p.Start+p.N, o.op)
	}
}

// keep drops what a whole table does not begin with any more, and returns what it has beyond that.
func (w *Engine) keep(x *life, whole []cache.BlockID) []cache.BlockID {
	n := 0
	for n < min(len(whole), len(x.table)) && whole[n] == x.table[n] {
		n++
	}
	for i := len(x.table) - 1; i >= n; i-- {
		w.drop(x.req, x.table[i])
	}
	x.table, x.filed = x.table[:n], min(x.filed, int32(n))
	return whole[n:]
}

// alloc gives a fresh block. Nobody finds any more what it held.
func (w *Engine) alloc(x *life, b cache.BlockID) {
	if w.blocks[b].found {
		w.unpublish(b)
	}
	w.blocks[b].refs = 1
	x.table = append(x.table, b)
	w.obs.Block(cache.Alloc, x.req, b, 0)
}

// adopt gives a block that was found.
func (w *Engine) adopt(x *life, b cache.BlockID) {
	w.blocks[b].refs++
	x.table = append(x.table, b)
	w.obs.Block(cache.Adopt, x.req, b, 0)
}

// release ends all references of a life, at once or when the last operation that carries it has settled: as claimed.
func (w *Engine) release(x *life) {
	later := w.claims.Release == engine.ReleaseSettled && w.find(x.last) != nil
	for _, b := range x.table {
		if later {
			w.leaving = append(w.leaving, leaving{x.req, b, x.last})
		} else {
			w.drop(x.req, b)
		}
	}
	x.table, x.filed = x.table[:0], 0
}

func (w *Engine) drop(r cache.Req, b cache.BlockID) {
	w.obs.Block(cache.Drop, r, b, 0)
	w.blocks[b].refs--
	if w.blocks[b].refs == 0 {
		w.obs.Block(cache.Freed, r, b, 0)
	}
}

// publish makes a life's full blocks up to a position findable; op is the pass that is still to write some, or 0.
func (w *Engine) publish(x *life, upto int32, op cache.OpID) {
	for i := x.filed; (i+1)*w.size <= upto && int(i) < len(x.table); i++ {
		x.filed = i + 1
		b := &w.blocks[x.table[i]]
		if b.found {
			continue
		}
		b.found, b.by, b.op = true, x.req, op
		w.obs.Block(cache.Publish, x.req, x.table[i], op)
	}
}

func (w *Engine) unpublish(b cache.BlockID) {
	w.blocks[b].found, w.blocks[b].op = false, 0
	w.obs.Block(cache.Unpublish, cache.Req{}, b, 0)
}

// withdraw ends the entries of some blocks.
func (w *Engine) withdraw(these func(*block) bool) {
	for b := range w.blocks {
		if x := &w.blocks[b]; x.found && these(x) {
			w.unpublish(cache.BlockID(b))
		}
	}
}

func (w *Engine) find(op cache.OpID) *operation {
	if i := slices.IndexFunc(w.ops, func(o operation) bool { return o.op == op }); i >= 0 {
		return &w.ops[i]
	}
	return nil
}
