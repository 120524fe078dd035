package invariants

import "custody/cache"

// Who holds each block, and where it goes.

// block is what the ledger knows of one block.
type block struct {
	epoch     uint32 // raised by every allocation
	wiped     uint32 // slots written before this epoch are poisoned
	refs      int32
	tabled    int32 // entries of live tables
	held      bool  // not on the free list
	published bool
	entry     entry
	read      [cache.NumQueues]cache.OpID // the last operation issued that reads it
	write     [cache.NumQueues]cache.OpID
}

// entry is what a published block was filed for.
type entry struct {
	tag    uint64
	id     cache.Identity
	op     cache.OpID // the pass that was still to write it, or 0
	writer uint32     // the life that published it
}

// hold is a block in a request's table.
type hold struct {
	block   cache.BlockID
	epoch   uint32 // the block's when it was taken or found
	adopted bool
}

// Block implements cache.Observer.
func (l *Ledger) Block(k cache.BlockKind, r cache.Req, b cache.BlockID, op cache.OpID) {
	switch k {
	case cache.Alloc:
		l.seeAlloc(r, b)
	case cache.Adopt:
		l.seeAdopt(r, b)
	case cache.Drop:
		l.seeDrop(r, b)
	case cache.Freed:
		l.seeFreed(b)
	case cache.Publish:
		l.seePublish(r, b, op)
	case cache.Unpublish:
		l.seeUnpublish(b)
	case cache.Poison:
		l.seePoison(b)
	}
	if l.extra != nil {
		l.tell(Event{Kind: SawBlock, Req: r, Block: b, Op: op, A: int64(k)})
	}
}

func (l *Ledger) seeAlloc(r cache.Req, b cache.BlockID) {
	l.checkAlloc(r, b)
	l.checkReuse(r, b)
	x := &l.blocks[b]
	x.epoch++
	x.refs, x.held = 1, true
	l.attempt.takes(b)
	l.push(r, hold{block: b, epoch: x.epoch})
}

func (l *Ledger) seeAdopt(r cache.Req, b cache.BlockID) {
	l.checkFound(r, b)
	x := &l.blocks[b]
	x.refs++
	x.held = true
	l.attempt.takes(b)
	l.push(r, hold{block: b, epoch: x.epoch, adopted: true})
	if y := &l.lives[r.Slot]; y.valid == (y.holds-1)*l.cfg.BlockTokens {
		y.valid = y.holds * l.cfg.BlockTokens
	}
}

func (l *Ledger) push(r cache.Req, h hold) {
	x := &l.lives[r.Slot]
	if x.gen != r.Gen || x.holds == l.stride {
		return
	}
	l.tables[r.Slot*l.stride+x.holds] = h
	x.holds++
	l.blocks[h.block].tabled++
}

func (l *Ledger) seeDrop(r cache.Req, b cache.BlockID) {
	l.checkDrop(r, b)
	l.blocks[b].refs--
	l.attempt.drops(b)
	if l.blocks[b].refs > 0 {
		l.markShared(r, b)
	}
	if x := l.current(r); x != nil {
		l.forget(r.Slot, b)
		x.valid = min(x.valid, x.holds*l.cfg.BlockTokens)
	} else {
		l.leaving--
	}
}

// forget takes a block out of a table: the last one, or one of a table that is being given back whole.
func (l *Ledger) forget(s int32, b cache.BlockID) {
	table := l.table(s)
	for i := len(table) - 1; i >= 0; i-- {
		if table[i].block == b {
			copy(table[i:], table[i+1:])
			l.lives[s].holds--
			l.blocks[b].tabled--
			return
		}
	}
}

func (l *Ledger) seeFreed(b cache.BlockID) {
	l.checkFreed(b)
	l.blocks[b].held = false
}

func (l *Ledger) seePoison(b cache.BlockID) {
	l.checkPoison(b)
	l.blocks[b].wiped = l.blocks[b].epoch + 1
	for layer := range l.cfg.Layers {
		l.runs[layer*l.cfg.Blocks+int32(b)].n = 0
	}
}

func (l *Ledger) table(s int32) []hold {
	return l.tables[s*l.stride : s*l.stride+l.lives[s].holds]
}
