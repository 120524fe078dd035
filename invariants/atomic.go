package invariants

import "custody/cache"

// Atomic promises: an operation that failed left ownership, references, rows, queues, counts and entries as
// it found them (the order of the free list aside).
//
// Observes: when an attempt begins, and whether it commits or fails; blocks handed out, found, dropped, published and
// unpublished in between.
//
// Decides: every change adds a number that only its block and its kind make, and its opposite takes the number away; at
// a failure the sum must be nothing, and the request's table must be what it was.
//
// Says: the request whose attempt failed.
const Atomic ID = 16

const FailedHalfway Mark = Mark(Atomic) << markBits

var atomicStatement = Statement{
	ID: Atomic, Name: "atomic", Unit: "attempts that ended",
	Needs: HidesFacts,
	Sentence: "an operation that failed left ownership, references, rows, queues, counts and entries as it found " +
		"them (the order of the free list aside)",
	Marks: []MarkStatement{
		{Mark: FailedHalfway, Name: "failed-halfway",
			Sentence: "an allocation failed after found blocks had been taken, and gave them back"},
	},
}

// attemptBook is what has changed since the present attempt began.
type attemptBook struct {
	attempt
	hit int32 // blocks that the present admission must be given
}

// attempt is what has changed since the present attempt began.
type attempt struct {
	admits bool // a request is to be given its first blocks
	sum    uint64
	holds  int32
	took   bool // blocks were given in it
}

// weights of a reference and of an entry, for one block.
func refWeight(b cache.BlockID) uint64   { return finish64(uint64(b)*2 + 1) }
func entryWeight(b cache.BlockID) uint64 { return finish64(uint64(b)*2 + 2) }

func (a *attempt) takes(b cache.BlockID)   { a.sum, a.took = a.sum+refWeight(b), true }
func (a *attempt) drops(b cache.BlockID)   { a.sum -= refWeight(b) }
func (a *attempt) files(b cache.BlockID)   { a.sum += entryWeight(b) }
func (a *attempt) unfiles(b cache.BlockID) { a.sum -= entryWeight(b) }

func checkAttempt(l *Ledger, k cache.TryKind, r cache.Req) {
	holds := int32(0)
	if l.lives.current(r) != nil {
		holds = l.blocks.lengths[r.Slot]
	}
	if k == cache.Admitting || k == cache.Growing {
		l.attempts.attempt = attempt{holds: holds, admits: k == cache.Admitting}
		return
	}
	l.checks[Atomic]++
	if k == cache.Committed {
		return
	}
	if l.attempts.took {
		l.Hit(FailedHalfway)
	}
	if l.attempts.admits {
		markDenied(l)
	}
	if l.attempts.sum != 0 || l.attempts.holds != holds {
		l.breach(plain(Atomic, l.who(r), "an allocation that failed has left something behind"))
	}
}
