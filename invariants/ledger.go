// Package invariants watches an engine and says which promise it breaks.
//
//	engine ──Observer──▶ Ledger ──▶ promises ──▶ breaches
//	client ──Submitted, Delivered, Ended─▶ ┘
//
// The ledger believes only the accesses that it saw: the memory accessor reports the addresses that it hands out. What a
// request's tokens, identity and limits are, it knows from the client's side, never from the scheduler's list. What a
// slot should hold it derives with its own code. It never asks the allocator what is free.
//
// There is one file for each promise; `go doc invariants.Content` and its like show what it observes, how it decides
// and what it says. What they decide by is written down in books, each in its file with its own reset and clone;
// observe.go and clients.go say which facts go to which checks and books. A step's checks touch what the step touched;
// Audit is the full check.
package invariants

import (
	"fmt"

	"custody/cache"
)

// Ledger implements cache.Observer: attach it where an engine reports. Tell it what clients say and hear, from Submitted to
// Ended, and enclose each event in Begin and EndStep; then Breaches are the promises that were broken. It may be fed by
// hand, as the example does.
//
// Its state is flat; slots of the request table index everything about requests.
type Ledger struct {
	cfg      Config
	foreign  bool // the parties' layouts differ
	memory   memoryBook
	blocks   blockBook
	index    indexBook
	lives    lifeBook
	accounts accountBook
	rows     rowBook
	ops      operationBook
	order    orderBook
	door     doorBook
	attempts attemptBook
	mirror   Consumer
	guests   guestBook
	verdict
}

// NewLedger returns a ledger that has seen nothing. It panics if something has no size.
func NewLedger(cfg Config, extra []Promise) *Ledger {
	if s := &cfg.Shape; min(s.Blocks, s.BlockTokens, s.Layers, s.Slots, cfg.Bounds.MaxLen) < 1 {
		panic(fmt.Sprintf("invariants: a ledger of shape %+v and length %d: both must be positive", *s, cfg.Bounds.MaxLen))
	}
	s, foreign := &cfg.Shape, cfg.Parties.foreign()
	l := &Ledger{
		cfg: cfg, foreign: foreign, memory: newMemoryBook(s, foreign), blocks: newBlockBook(s, cfg.Bounds.MaxLen),
		index: newIndexBook(s.Blocks), lives: newLifeBook(s.Slots), accounts: newAccountBook(&cfg), rows: newRowBook(s.Rows),
		ops: newOperationBook(s.Blocks), order: orderBook{policy: cfg.Claims.Order}, door: newDoorBook(len(cfg.Bounds.Quotas)),
		mirror: *NewConsumer(s.Blocks), guests: newGuestBook(extra), verdict: newVerdict(cfg.Claims.Hides),
	}
	l.guests.reset()
	return l
}

// Reset forgets everything.
func (l *Ledger) Reset() {
	l.memory.reset()
	l.blocks.reset()
	l.index.reset()
	l.lives.reset()
	l.accounts.reset()
	l.rows.reset()
	l.ops.reset()
	l.order.reset()
	l.door.reset()
	l.attempts = attemptBook{}
	l.mirror.Reset()
	l.guests.reset()
	l.verdict.reset()
}

// CloneInto copies the state into dst, a ledger of the same configuration. The promises of a user are not cloned: they
// have state of their own.
func (l *Ledger) CloneInto(dst *Ledger) {
	l.memory.cloneInto(&dst.memory)
	l.blocks.cloneInto(&dst.blocks)
	l.index.cloneInto(&dst.index)
	l.lives.cloneInto(&dst.lives)
	l.accounts.cloneInto(&dst.accounts)
	l.rows.cloneInto(&dst.rows)
	l.ops.cloneInto(&dst.ops)
	l.order.cloneInto(&dst.order)
	l.door.cloneInto(&dst.door)
	dst.attempts = l.attempts
	l.mirror.cloneInto(&dst.mirror)
	l.verdict.cloneInto(&dst.verdict)
}

// Stream is where the engine's KV events must go for `mirror` to be checked.
func (l *Ledger) Stream() cache.Stream { return &l.mirror }

// hides tells whether the engine hides something of a set.
func (l *Ledger) hides(h Hidden) bool { return l.cfg.Claims.Hides&h != 0 }

// owner is the account whose request stands, or last stood, in the slot. Operations name a slot only as long as it is not
// given to another request.
func (l *Ledger) owner(r cache.Req) *account { return &l.accounts.list[l.lives.present[r.Slot].client] }

// stand is the last life in the slot of a request, and the account of the request whose life it is.
func (l *Ledger) stand(r cache.Req) (*presentLife, *account) {
	x := &l.lives.present[r.Slot]
	return x, &l.accounts.list[x.client]
}

// who is the client of a request, or -1.
func (l *Ledger) who(r cache.Req) int32 {
	if x := &l.lives.present[r.Slot]; int(x.client) < len(l.accounts.list) {
		return x.client
	}
	return -1
}

// knownTokens is the number of tokens that the request has.
func (l *Ledger) knownTokens(r cache.Req) int32 {
	return min(l.owner(r).submitted+l.lives.present[r.Slot].taken, l.cfg.Bounds.MaxLen)
}
