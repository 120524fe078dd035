package invariants

import "custody/cache"

// What the ledger knows at one moment, for people who look at a run. No check needs it, and no step calls it.

// Event is the kind of the present step's event.
func (l *Ledger) Event() uint8 { return l.event }

// Author is a life as the writer of slots, or as who published a block.
type Author struct {
	Client int32 // -1: nobody, or one that is forgotten
	Gen    uint32
}

// author is the life with a number as a writer.
func (l *Ledger) author(life uint32) Author {
	if life == 0 || life == poison || int(life%knownLives) >= len(l.lives.known) {
		return Author{Client: -1}
	}
	x := l.lives.recall(life)
	if x == nil || l.accounts.list[x.client].submission != x.submission {
		return Author{Client: -1}
	}
	return Author{Client: x.client, Gen: x.gen}
}

// SlotAt is what a slot of a layer of a block holds, and who wrote it. What was written for an earlier holder of the block
// than the last one is stale.
func (l *Ledger) SlotAt(layer int32, b cache.BlockID, i int32) (SlotState, Author) {
	s := l.memory.slotAt(layer, b, i)
	state := l.memory.state(s, b, s.epoch != l.memory.ages[b].epoch)
	if state == SlotUnwritten || state == SlotPoisoned {
		return state, Author{Client: -1}
	}
	return state, l.author(s.life)
}

// Custody is who answers for a block.
type Custody struct {
	Refs      int32 // references that have not ended
	Tabled    int32 // of these, entries of live tables; the others wait for an operation
	Held      bool  // not on the free list
	Published bool
	Publisher Author
	Pending   cache.OpID // of a published block: the pass that is still to write it, or 0
}

// CustodyOf is who answers for a block now.
func (l *Ledger) CustodyOf(b cache.BlockID) Custody {
	x, e := &l.blocks.list[b], &l.index.entries[b]
	c := Custody{Refs: x.refs, Tabled: x.tabled, Held: x.held, Published: e.published, Publisher: Author{Client: -1}}
	if e.published {
		c.Publisher, c.Pending = l.author(e.life), e.op
	}
	return c
}

// Standing is where the request of a slot of the request table stands.
type Standing struct {
	Author
	Live  bool
	Valid int32 // leading positions whose slots are valid for it
}

// StandingOf is where the request of a slot stands now.
func (l *Ledger) StandingOf(slot int32) Standing {
	x := &l.lives.present[slot]
	if int(x.client) >= len(l.accounts.list) {
		return Standing{Author: Author{Client: -1}}
	}
	return Standing{Author: Author{Client: x.client, Gen: x.gen}, Live: x.phase != over, Valid: x.valid}
}

// TableOf appends the blocks that the present life of a slot holds to dst, by position.
func (l *Ledger) TableOf(slot int32, dst []cache.BlockID) []cache.BlockID {
	for _, h := range l.blocks.table(slot) {
		dst = append(dst, h.block)
	}
	return dst
}

// RowOf is the life that a row of the worker is bound to; false if it is free.
func (l *Ledger) RowOf(row int32) (cache.Req, bool) { return l.rows.reqs[row], l.rows.bound[row] }
