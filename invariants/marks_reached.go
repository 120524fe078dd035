package invariants

import (
	"slices"

	"custody/cache"
)

// Where the ledger sees that a mark has been reached: at rare events. What costs more than a comparison is not looked for
// again once it has been.

// markShared: a holder has dropped a block that others still hold.
func markShared(l *Ledger, r cache.Req, b cache.BlockID) {
	l.Hit(SharedOutlivesHolder)
	if !l.marks[SharedReleasedWhileRead] {
		l.marks[SharedReleasedWhileRead] = l.ops.reads(b, r.Slot)
	}
}

// markTaken: something takes a request away from what it was doing.
func markTaken(l *Ledger, r cache.Req, why cache.Cause) {
	switch why {
	case cache.ByCancel:
		if l.ops.passesOf(r) > 1 {
			l.Hit(CancelledWithTwoPasses)
		}
	case cache.ByPreempt:
		if l.lives.present[r.Slot].sampled > 0 {
			l.Hit(PreemptedWithToken)
		}
		if !l.order.exempt {
			l.Hit(GaveWay)
		}
	case cache.ByRefusal:
		if l.ops.passesOf(r) > 0 { // the refused one does not carry it
			l.Hit(RefusedWithPass)
		}
	}
}

// markFound: a request is given a block that was filed by somebody.
func markFound(l *Ledger, r cache.Req, a *account, e *entry) {
	if !l.marks[SameDomainShares] {
		_, rel := l.writtenBy(r, a, e.life)
		l.marks[SameDomainShares] = rel == RelDomain
	}
	if !l.marks[FoundBeforeWritten] {
		l.marks[FoundBeforeWritten] = l.ops.comes(e.op)
	}
}

// markAdmitted: a request has been given its blocks, the first `found` of them by content.
func markAdmitted(l *Ledger, r cache.Req, found int32) {
	x := &l.lives.present[r.Slot]
	if l.attempts.hit < x.looked {
		l.Hit(EvictedBeforeAdmission)
	}
	x.looked = 0
	switch most := (l.knownTokens(r) - 1) / l.memory.size; {
	case found > 0 && found == most:
		l.Hit(FoundWhole)
	case found > 0:
		l.Hit(FoundInPart)
	}
}

// markFailed: an attempt has failed.
func markFailed(l *Ledger, what cache.TryWhat) {
	if l.attempts.took {
		l.Hit(FailedHalfway)
	}
	if what == cache.TryAdmit && l.blocks.leaving > 0 {
		l.Hit(WaitedForDeferred)
	}
}

// markSubmitted: a client submits a prompt.
func markSubmitted(l *Ledger, a *account) {
	size := l.memory.size
	if l.marks[TwoDomainsSameTokens] || a.submitted < size {
		return
	}
	for i := range l.accounts.list {
		o := &l.accounts.list[i]
		if !o.waits() || o.id.Domain == a.id.Domain || o.submitted < size {
			continue
		}
		if slices.Equal(l.accounts.tokensOf(o)[:size], l.accounts.tokensOf(a)[:size]) {
			l.Hit(TwoDomainsSameTokens)
		}
	}
}

// markBound: a worker's row is bound.
func markBound(l *Ledger, row int32, r cache.Req) {
	who := l.who(r)
	if who < 0 {
		return
	}
	domain := uint64(l.accounts.list[who].id.Domain) + 1
	if before := l.rows.domain[row]; before != 0 && before != domain {
		l.Hit(RowChangedDomain)
	}
	l.rows.domain[row] = domain
}
