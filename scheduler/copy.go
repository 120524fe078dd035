package scheduler

import (
	"custody/cache"
	"custody/scheduler/protocol"
)

// A prompt of whole blocks that is found whole would have to compute its last block again, because the last token is
// never a hit. With tail copies, the found last block is copied into a block of the request's own on the second queue;
// then only the last position is left to compute. Until the copy has settled the request is Loading: it holds its
// blocks, and nothing may return them before the copy has touched them.

// canCopy completes the hit of a waiting request by its tail, if a copy may be issued for it.
func (s *Scheduler) canCopy(slot int32) bool {
	if !s.cfg.TailCopy || s.Outstanding(cache.CopyQueue) >= s.cfg.MaxRows {
		return false
	}
	s.pool.LookupTail(s.text(slot), &s.hit)
	fits := s.hit.Tail != cache.None && s.pool.Fits(&s.hit, s.reqs[slot].known)
	if !fits {
		s.hit.Tail = cache.None
	}
	return fits
}

// planCopy makes the head of the queue Loading, if its tail can be copied.
func (s *Scheduler) planCopy(dst *protocol.Plan) bool {
	if !s.cfg.TailCopy || s.resetting || len(s.loaded) > 0 || len(s.waiting) == 0 {
		return false
	}
	slot := s.waiting[0]
	x := &s.reqs[slot]
	s.pool.Lookup(x.id, s.text(slot), &s.hit)
	if !s.canCopy(slot) {
		return false
	}
	if s.pool.Admit(s.Current(slot), &s.hit, x.known, 0) != nil {
		s.retry = true // there was room, so the allocation failed on the way
		return false
	}
	table := s.pool.Table(s.Current(slot))
	own := len(table) - 2
	dst.Op, dst.Queue = s.issue(), cache.CopyQueue
	dst.Copies = append(dst.Copies, protocol.Copy{Req: s.Current(slot), Copy: cache.Copy{From: table[own+1], To: table[own]}})
	f := s.newFlight(dst.Op, cache.CopyQueue)
	f.rows = append(f.rows, flightRow{req: s.Current(slot), end: x.known})
	x.lastOp = dst.Op
	x.naming++
	x.planned, x.settled = s.hit.Tokens, s.hit.Tokens
	s.move(slot, OnCopy)
	return true
}

// settleCopy takes in that a copy has been made.
func (s *Scheduler) settleCopy(row *flightRow) {
	if s.Current(row.req.Slot) != row.req {
		return
	}
	x := &s.reqs[row.req.Slot]
	s.pool.DropTail(row.req, x.known)
	x.planned, x.settled = x.known-1, x.known-1
	s.move(row.req.Slot, OnCopied)
}
