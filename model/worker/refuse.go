package worker

import (
	"slices"

	"custody/cache"
	"custody/scheduler/protocol"
)

// A worker may refuse a row after the scheduler has given it blocks and a place in the pass. The worker undoes its half
// here: the row is cleared. The scheduler learns of it by the returned message and undoes its own half (Scheduler.Refused).

// deny says whether the worker will not run a row, and why.
func (r *Runner) deny(x *row, p *protocol.Row, total int32) (protocol.Refusal, bool) {
	if r.cfg.Veto != nil {
		if no, vetoed := r.cfg.Veto(p); vetoed {
			return no, true
		}
	}
	no := protocol.Refusal{Req: p.Req}
	switch {
	case p.Start+p.N > r.cfg.MaxLen:
		no.Why, no.Final = protocol.RowTooLong, true
	case total+p.N > r.cfg.Budget:
		no.Why = protocol.PassTooBig
	case r.needsVoid(p):
		no.Why = protocol.Dependency
	}
	return no, no.Why != protocol.NoReason
}

// missing is the refusal of a row that the worker has no place for, or does not have.
func missing(p *protocol.Row) protocol.Reason {
	if p.New {
		return protocol.RowsFull
	}
	return protocol.NoRow
}

// needsVoid tells whether a row shares a block that a refused row of the same plan was to write. It happens only where
// blocks can be found before they are computed.
func (r *Runner) needsVoid(p *protocol.Row) bool {
	for _, b := range p.Blocks {
		if slices.Contains(r.void, b) {
			return true
		}
	}
	return false
}

// refuse undoes the worker's half of a row that it will not run.
func (r *Runner) refuse(p *protocol.Row, at int32, no protocol.Refusal) {
	r.refused = append(r.refused, no)
	r.void = append(r.void, r.unwritten(p, at)...)
	if at >= 0 {
		r.free(at)
	}
}

// unwritten is the blocks of a refused row that nothing has written: of a new row those behind its start.
func (r *Runner) unwritten(p *protocol.Row, at int32) []cache.BlockID {
	table, start := p.Blocks, p.Start
	if at >= 0 {
		table, start = r.rows[at].table, r.rows[at].computed
	}
	return table[min(int(start/r.cfg.Layout.BlockTokens), len(table)):]
}
