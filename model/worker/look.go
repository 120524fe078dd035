package worker

import "custody/cache"

// RowState is what a row of the worker holds: the worker's own view. Of a free row it is what was left in it.
type RowState struct {
	Req      cache.Req
	Bound    bool
	Computed int32           // positions that issued passes compute
	Table    []cache.BlockID // a copy
}

// Rows is how many rows the worker has.
func (r *Runner) Rows() int { return len(r.rows) }

// RowState returns what a row holds, for people who look at one moment of a run.
func (r *Runner) RowState(row int32) RowState {
	x := &r.rows[row]
	return RowState{Req: x.req, Bound: x.bound, Computed: x.computed, Table: append([]cache.BlockID(nil), x.table...)}
}
