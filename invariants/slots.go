package invariants

import "custody/cache"

// What each KV slot holds: who wrote it, for which content, and whether it is poisoned.

// slot is what the ledger knows of one KV slot of one layer. It is small because every position written stores one.
type slot struct {
	tag    uint64 // content: identity and all tokens up to the position it was written for
	epoch  uint32 // the block's when it was written
	writer uint32 // the life that wrote it, by number; 0: never written
}

// poison is the writer of a slot that was poisoned and has been marked so by itself.
const poison = ^uint32(0)

// run is what vouches for a layer of a block as long as it is written from front to back, which it nearly always is:
// its first n slots were written in one epoch, each for the position after the one before, and the last of them holds
// the content of the tag. With n zero nothing vouches, and each slot is looked at.
type run struct {
	tag   uint64
	epoch uint32
	n     int32
}

// Touch implements cache.Observer.
func (l *Ledger) Touch(k cache.TouchKind, op cache.OpID, r cache.Req, layer int, run cache.Run) {
	holds := l.heldAt(op, r)
	if k == cache.Read {
		l.checkRead(op, r, int32(layer), run, holds)
	} else {
		l.seeWrite(r, int32(layer), run, holds)
	}
	if l.extra != nil {
		kind := SawRead
		if k == cache.Write {
			kind = SawWrite
		}
		l.tell(Event{Kind: kind, Req: r, Op: op, Layer: layer, Run: run})
	}
}

// seeWrite records what the slots of a run hold from now on, block by block.
func (l *Ledger) seeWrite(r cache.Req, layer int32, run cache.Run, holds []hold) {
	size := l.cfg.BlockTokens
	c := l.owner(r)
	run.Hi = min(run.Hi, l.cfg.MaxLen)
	l.extend(c, run.Hi)
	tags := l.tagsOf(c)
	s := slot{writer: l.writerOf(r)}
	for i, from := run.Lo/size, run.Lo; from < run.Hi; i++ {
		to := min((i+1)*size, run.Hi)
		b := run.Table[i]
		s.epoch = l.blocks[b].epoch // of a block that it does not hold, should it come to that
		if int(i) < len(holds) && holds[i].block == b {
			s.epoch = holds[i].epoch
		}
		if s.epoch < l.blocks[b].wiped {
			l.spellOut(b)
		}
		at := layer*l.cfg.Blocks + int32(b)
		block := l.slots[at*size+from-i*size:][:to-from]
		last := &block[to-from-1]
		if to-i*size > l.runs[at].n || last.tag != tags[to-1] || last.epoch != s.epoch { // else it is the same content again
			l.runs[at].extend(from-i*size, s.epoch, prior(tags, from), tags[from:to])
		}
		for j, tag := range tags[from:to] {
			s.tag = tag
			block[j] = s
		}
		if l.foreign {
			estrange(block)
			l.runs[at].n = 0
		}
		from = to
	}
	if x := l.current(r); x != nil && layer == l.cfg.Layers-1 && run.Lo <= x.valid {
		x.valid = max(x.valid, run.Hi)
	}
}

func prior(tags []uint64, p int32) uint64 {
	if p == 0 {
		return 0
	}
	return tags[p-1]
}

// extend takes in that the slots from `from` on were written with the tags, `before` being the tag of the position
// before them.
func (x *run) extend(from int32, epoch uint32, before uint64, tags []uint64) {
	if from != 0 && (from != x.n || x.epoch != epoch || x.tag != before) {
		x.n = 0
		return
	}
	*x = run{tag: tags[len(tags)-1], epoch: epoch, n: from + int32(len(tags))}
}

// CopyBlock implements cache.Observer.
func (l *Ledger) CopyBlock(op cache.OpID, c cache.Copy) {
	size := l.cfg.BlockTokens
	epoch := l.blocks[c.To].epoch
	if epoch < l.blocks[c.To].wiped {
		l.spellOut(c.To)
	}
	for layer := range l.cfg.Layers {
		from, to := layer*l.cfg.Blocks+int32(c.From), layer*l.cfg.Blocks+int32(c.To)
		for i := range size {
			s := l.slots[from*size+i]
			if l.stateOf(&s, c.From, false) == SlotPoisoned {
				s = slot{writer: poison}
			}
			s.epoch = epoch
			l.slots[to*size+i] = s
		}
		l.runs[to] = l.runs[from]
		l.runs[to].epoch = epoch
	}
	if o := l.find(op); o != nil && len(o.rows) == 1 {
		l.copied(o.rows[0].req)
	}
	if l.extra != nil {
		l.tell(Event{Kind: SawCopy, Op: op, A: int64(c.From), B: int64(c.To)})
	}
}

// copied extends a request's valid positions by its copied tail block.
func (l *Ledger) copied(r cache.Req) {
	x := l.current(r)
	if x == nil || x.holds < 2 {
		return
	}
	if own := x.holds - 2; x.valid == own*l.cfg.BlockTokens { // the last two are its own block and the source
		x.valid = (own + 1) * l.cfg.BlockTokens
	}
}

// spellOut marks each poisoned slot of a block by itself: a write that comes too late, under an old epoch, is about to
// make one of them a written one.
func (l *Ledger) spellOut(b cache.BlockID) {
	size := l.cfg.BlockTokens
	for layer := range l.cfg.Layers {
		at := (layer*l.cfg.Blocks + int32(b)) * size
		for i := range l.slots[at : at+size] {
			if s := &l.slots[at+int32(i)]; s.epoch < l.blocks[b].wiped {
				*s = slot{writer: poison}
			}
		}
	}
	l.blocks[b].wiped = 0
}
