package invariants

import (
	"slices"

	"custody/cache"
)

// Where the ledger sees that a mark has been reached: at rare events. What costs more than a comparison is not looked for
// again once it has been.

// markShared: a holder has dropped a block that others still hold.
func (l *Ledger) markShared(r cache.Req, b cache.BlockID) {
	l.Reach(SharedOutlivesHolder)
	if l.marks[SharedReleasedWhileRead] {
		return
	}
	for i := range l.ops {
		for _, row := range l.ops[i].rows {
			for _, h := range l.ops[i].holds[row.from:row.to] {
				if h.block == b && row.req.Slot != r.Slot {
					l.Reach(SharedReleasedWhileRead)
				}
			}
		}
	}
}

// markTaken: something takes a request away from what it was doing.
func (l *Ledger) markTaken(r cache.Req, why cache.Cause) {
	switch why {
	case cache.ByCancel:
		if l.passesOf(r) > 1 {
			l.Reach(CancelledWithTwoPasses)
		}
	case cache.ByPreempt:
		if l.lives[r.Slot].sampled > 0 {
			l.Reach(PreemptedWithToken)
		}
		if !l.forced {
			l.Reach(GaveWay)
		}
	case cache.ByRefusal:
		if l.passesOf(r) > 0 { // the refused one does not carry it
			l.Reach(RefusedWithPass)
		}
	}
}

// passesOf is the number of outstanding passes that carry the life.
func (l *Ledger) passesOf(r cache.Req) (n int) {
	for i := range l.ops {
		for _, row := range l.ops[i].rows {
			if row.req == r && l.ops[i].queue == cache.PassQueue {
				n++
			}
		}
	}
	return n
}

// markFound: a request is given a block that was filed by somebody.
func (l *Ledger) markFound(r cache.Req, c *client, e *entry) {
	if !l.marks[SameDomainShares] {
		_, rel := l.writtenBy(r, c, e.writer)
		l.marks[SameDomainShares] = rel == RelDomain
	}
	if !l.marks[FoundBeforeWritten] {
		l.marks[FoundBeforeWritten] = l.comes(e.op)
	}
}

// markAdmitted: a request has been given its blocks, the first `found` of them by content.
func (l *Ledger) markAdmitted(r cache.Req, found int32) {
	x := &l.lives[r.Slot]
	if l.expectedHit < x.looked {
		l.Reach(EvictedBeforeAdmission)
	}
	x.looked = 0
	switch most := (l.knownTokens(r) - 1) / l.cfg.BlockTokens; {
	case found > 0 && found == most:
		l.Reach(FoundWhole)
	case found > 0:
		l.Reach(FoundInPart)
	}
}

// markFailed: an attempt has failed.
func (l *Ledger) markFailed(what cache.TryWhat) {
	if l.attempt.took {
		l.Reach(FailedHalfway)
	}
	if what == cache.TryAdmit && l.leaving > 0 {
		l.Reach(WaitedForDeferred)
	}
}

// markSubmitted: a client submits a prompt.
func (l *Ledger) markSubmitted(c *client) {
	size := l.cfg.BlockTokens
	if l.marks[TwoDomainsSameTokens] || c.submitted < size {
		return
	}
	for i := range l.clients {
		o := &l.clients[i]
		if o.slot < 0 || o.told || o.id.Domain == c.id.Domain || o.submitted < size {
			continue
		}
		if slices.Equal(l.tokensOf(o)[:size], l.tokensOf(c)[:size]) {
			l.Reach(TwoDomainsSameTokens)
		}
	}
}

// markBound: a worker's row is bound.
func (l *Ledger) markBound(row int32, r cache.Req) {
	who := l.who(r)
	if who < 0 {
		return
	}
	domain := uint64(l.clients[who].id.Domain) + 1
	if before := l.rowOf[row]; before != 0 && before != domain {
		l.Reach(RowChangedDomain)
	}
	l.rowOf[row] = domain
}
