package worker

import (
	"custody/cache"
	"custody/model"
	"custody/scheduler/protocol"
)

// refresh brings the rows of a batch up to what stands in the worker's rows now, as far as that is live. A row that has been
// cleared, or given to somebody else since, is read as it is: that is what a device would do.
func (r *Runner) refresh(b *model.Batch) {
	for i := range b.Rows {
		row := &b.Rows[i]
		x := &r.rows[row.Row]
		if r.cfg.Live&protocol.LiveTokens != 0 {
			row.Input = standing(row.Input, x.tokens, row.Start, row.Start+row.N)
		}
		if r.cfg.Live&protocol.LiveTable != 0 {
			row.Table = standing(row.Table, x.table, 0, r.blocks(row.Start+row.N))
		}
	}
}

// blocks is the number of blocks that hold so many positions.
func (r *Runner) blocks(positions int32) int32 {
	size := r.cfg.Layout.BlockTokens
	return (positions + size - 1) / size
}

// standing copies what stands in a row's memory at [lo,hi), behind its end too.
func standing[T cache.Token | cache.BlockID](dst, memory []T, lo, hi int32) []T {
	return append(dst[:0], memory[:cap(memory)][min(int(lo), cap(memory)):min(int(hi), cap(memory))]...)
}
