package worker

import (
	"slices"

	"custody/cache"
	"custody/model"
	"custody/scheduler/protocol"
)

// Finish computes an issued operation: memory is touched, tokens exist on the worker. Operations of one queue are
// finished in the order of their issue. It reports false if the worker is failing: the operation is lost instead.
func (r *Runner) Finish(op cache.OpID, dst *protocol.Result) bool {
	at := r.index(op)
	ps := &r.passes[at]
	dst.Reset(op)
	if r.failed && ps.queue == cache.PassQueue {
		r.retire(at)
		return false
	}
	for i := range ps.copies {
		r.mem.Copy(op, ps.copies[i].Copy)
	}
	if len(ps.batch.Rows) > 0 {
		r.compute(ps, dst)
	}
	if r.obs != nil {
		r.obs.Op(cache.Finished, op, ps.queue)
	}
	r.retire(at)
	return true
}

// compute runs a batch and hands out what it samples.
func (r *Runner) compute(ps *pass, dst *protocol.Result) {
	if r.obs != nil {
		for i := range ps.batch.Rows {
			r.obs.Use(&ps.batch.Rows[i].Used)
		}
	}
	r.model.Forward(&ps.batch, r.mem)
	for i := range ps.batch.Rows {
		row := &ps.batch.Rows[i]
		dst.Add(row.Req, row.Next)
		if row.Sample {
			r.deliver(samples{op: ps.batch.Op, row: ps.places[i], tokens: row.Next}, row)
		}
	}
}

// deliver hands sampled tokens to the request's row and to the issued passes that wait for them.
func (r *Runner) deliver(got samples, row *model.Row) {
	pos := row.Start + row.N
	if r.obs != nil {
		for i, t := range got.tokens {
			r.obs.Sampled(got.op, row.Req, pos+int32(i), t)
		}
	}
	if at := r.find(row.Req); at >= 0 {
		x := &r.rows[at]
		x.last = samples{op: got.op, row: got.row, tokens: append(x.last.tokens[:0], got.tokens...)}
		if pos < int32(len(x.tokens)) {
			copy(x.tokens[pos:], got.tokens)
		}
	}
	for i := range r.passes {
		b := &r.passes[i]
		for _, h := range b.holes {
			if t, ok := got.token(h.token); ok {
				b.batch.Rows[h.row].Input[h.at] = t
			}
		}
	}
}

// Fail makes the worker fail: every pass that it has still to finish is lost, until Recover.
func (r *Runner) Fail() { r.failed = true }

// Recover drops all issued passes and lets the worker work again. The scheduler must have taken in that they are lost.
func (r *Runner) Recover() {
	r.failed = false
	for i := len(r.passes) - 1; i >= 0; i-- {
		if r.passes[i].queue == cache.PassQueue {
			r.retire(i)
		}
	}
}

// Drop forgets an issued operation: it will not touch memory.
func (r *Runner) Drop(op cache.OpID) { r.retire(r.index(op)) }

func (r *Runner) index(op cache.OpID) int {
	return slices.IndexFunc(r.passes, func(p pass) bool { return p.batch.Op == op })
}

// retire removes an issued pass and keeps its buffers for the next one.
func (r *Runner) retire(i int) {
	p := r.passes[i]
	n := len(r.passes) - 1
	copy(r.passes[i:], r.passes[i+1:])
	r.passes[n] = p
	r.passes = r.passes[:n]
}

// CloneInto copies the state into dst, a runner of the same configuration.
func (r *Runner) CloneInto(dst *Runner) {
	for i := range r.rows {
		from, to := &r.rows[i], &dst.rows[i]
		tokens, table := append(to.tokens[:0], from.tokens...), append(to.table[:0], from.table...)
		last := append(to.last.tokens[:0], from.last.tokens...)
		*to = *from
		to.tokens, to.table, to.last.tokens = tokens, table, last
	}
	dst.passes = dst.passes[:0]
	for i := range r.passes {
		dst.clonePass(&r.passes[i])
	}
	dst.armed = append(dst.armed[:0], r.armed...)
	dst.failed = r.failed
}

func (r *Runner) clonePass(from *pass) {
	to := r.newPass(&protocol.Plan{Op: from.batch.Op, Queue: from.queue})
	for i := range from.batch.Rows {
		row := from.batch.Rows[i]
		row.Input = append([]cache.Token(nil), row.Input...)
		row.Table = append([]cache.BlockID(nil), row.Table...)
		row.Next = append([]cache.Token(nil), row.Next...)
		to.batch.Rows = append(to.batch.Rows, row)
	}
	to.places = append(to.places, from.places...)
	to.holes = append(to.holes, from.holes...)
	to.copies = append(to.copies, from.copies...)
}
