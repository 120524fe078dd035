package invariants

import "custody/cache"

// Look is what the ledger knows at one moment, for people who look at a run. No check needs it, and no step calls it.
type Look struct{ l *Ledger }

// Look looks at the present moment.
func (l *Ledger) Look() Look { return Look{l} }

// Event is the kind of the present step's event.
func (k Look) Event() uint8 { return k.l.event }

// Life is a life of a client's request.
type Life struct {
	Client int32 // -1: nobody, or one that is forgotten
	Gen    uint32
}

var nobody = Life{Client: -1}

// life is the one with a number.
func (k Look) life(number uint32) Life {
	lives := &k.l.lives
	if number == 0 || number == poison || int(number%knownLives) >= len(lives.known) {
		return nobody
	}
	x := lives.recall(number)
	if x == nil || k.l.accounts.list[x.client].submission != x.submission {
		return nobody
	}
	return Life{Client: x.client, Gen: x.gen}
}

// Slot is what a slot of a layer of a block holds, and who wrote it. What was written for an earlier holder of the block
// than the last one is stale.
func (k Look) Slot(layer int32, b cache.BlockID, i int32) (SlotState, Life) {
	m := &k.l.memory
	s := m.slotAt(layer, b, i)
	state := m.state(s, b, s.epoch != m.ages[b].epoch)
	if state == SlotUnwritten || state == SlotPoisoned {
		return state, nobody
	}
	return state, k.life(s.life)
}

// Custody is who answers for a block.
type Custody struct {
	Refs      int32 // references that have not ended
	Tabled    int32 // of these, entries of live tables; the others wait for an operation
	Held      bool  // not on the free list
	Published bool
	Publisher Life
	Pending   cache.OpID // of a published block: the pass that is still to write it, or 0
}

// Block is who answers for a block.
func (k Look) Block(b cache.BlockID) Custody {
	x, e := &k.l.blocks.list[b], &k.l.index.entries[b]
	c := Custody{Refs: x.refs, Tabled: x.tabled, Held: x.held, Published: e.published, Publisher: nobody}
	if e.published {
		c.Publisher, c.Pending = k.life(e.life), e.op
	}
	return c
}

// Standing is where the request of a slot of the request table stands.
type Standing struct {
	Life
	Live  bool
	Valid int32 // leading positions whose slots are valid for it
}

// Request is where the request of a slot of the request table stands.
func (k Look) Request(slot int32) Standing {
	x := &k.l.lives.present[slot]
	if int(x.client) >= len(k.l.accounts.list) {
		return Standing{Life: nobody}
	}
	return Standing{Life: Life{Client: x.client, Gen: x.gen}, Live: x.phase != over, Valid: x.valid}
}

// Table appends the blocks that the present life of a slot of the request table holds to dst, by position.
func (k Look) Table(slot int32, dst []cache.BlockID) []cache.BlockID {
	for _, h := range k.l.blocks.table(slot) {
		dst = append(dst, h.block)
	}
	return dst
}

// Row is the life that a row of the worker is bound to; false if it is free.
func (k Look) Row(row int32) (cache.Req, bool) { return k.l.rows.reqs[row], k.l.rows.bound[row] }
