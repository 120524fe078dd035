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
func (p *planning) canCopy(slot int32) bool {
	if !p.cfg.TailCopy || p.flights.count(cache.CopyQueue) >= p.cfg.MaxRows {
		return false
	}
	p.pool.LookupTail(p.reqs.text(slot), &p.hit)
	fits := p.hit.Tail != cache.None && p.pool.Fits(&p.hit, p.reqs.at(slot).known)
	if !fits {
		p.hit.Tail = cache.None
	}
	return fits
}

// copyTail makes the head of the queue Loading, if its tail can be copied.
func (p *planning) copyTail() bool {
	if !p.cfg.TailCopy || p.resetting || len(p.queues.loaded) > 0 || len(p.queues.waiting) == 0 {
		return false
	}
	slot := p.queues.waiting[0]
	x, r := p.reqs.at(slot), p.Current(slot)
	p.pool.Lookup(x.id, p.reqs.text(slot), &p.hit)
	if !p.canCopy(slot) {
		return false
	}
	if p.pool.Admit(r, &p.hit, x.known, 0) != nil {
		p.retry = true // there was room, so the allocation failed on the way
		return false
	}
	table := p.pool.Table(r)
	own := len(table) - 2
	f := p.issue(cache.CopyQueue)
	p.dst.Copies = append(p.dst.Copies, protocol.Copy{
		Req: r, Copy: cache.Copy{From: table[own+1], To: table[own]}, Table: table,
	})
	p.carry(f, flightRow{req: r, end: x.known})
	x.planned, x.settled = p.hit.Tokens, p.hit.Tokens
	p.move(slot, OnCopy)
	return true
}

// settleCopy takes in that a copy has been made.
func (s *Scheduler) settleCopy(row *flightRow) {
	if s.Current(row.req.Slot) != row.req {
		return
	}
	x := s.reqs.at(row.req.Slot)
	s.pool.DropTail(row.req, x.known)
	x.planned, x.settled = x.known-1, x.known-1
	s.move(row.req.Slot, OnCopied)
}
