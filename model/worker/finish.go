package worker

import (
	"slices"

	"custody/cache"
	"custody/model"
	"custody/scheduler/protocol"
)

// Finish computes an issued operation: memory is touched, tokens exist on the worker. Operations of one queue are
// finished in the order of their issue. It reports false if the operation is not there to be finished: it was dropped.
func (r *Runner) Finish(op cache.OpID, dst *protocol.Result) bool {
	dst.Reset(op)
	at := r.index(op)
	if at < 0 {
		return false
	}
	ps := &r.passes[at]
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
	if r.cfg.Live != 0 {
		r.refresh(&ps.batch)
	}
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

// Drop forgets an issued operation, if it is there: it failed, and will not touch memory.
func (r *Runner) Drop(op cache.OpID) {
	if at := r.index(op); at >= 0 {
		r.retire(at)
	}
}

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
}

func (r *Runner) clonePass(from *pass) {
	to := r.newPass(&protocol.Plan{Op: from.batch.Op, Queue: from.queue})
	for i := range from.batch.Rows {
		row, own := &from.batch.Rows[i], to.addRow()
		input, table := append(own.Input[:0], row.Input...), append(own.Table[:0], row.Table...)
		next := append(own.Next[:0], row.Next...)
		*own = *row
		own.Input, own.Table, own.Next = input, table, next
	}
	to.places = append(to.places, from.places...)
	to.holes = append(to.holes, from.holes...)
	to.copies = append(to.copies, from.copies...)
}
