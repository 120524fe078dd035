package invariants

import "custody/cache"

var contentStatement = Statement{
	ID: Content, Name: "content", Unit: "slot reads",
	Sentence: "every KV slot that a request reads at position p was written for exactly its own tokens up to p, under its identity",
}

// Observes: every read and write that the memory accessor hands out.
// Decides: each written slot carries a tag of the identity and of all tokens up to its position, derived from what the
// client submitted. A read is right if the slot's tag is the reader's own at that position and the slot was written
// since the reader took or found the block. As long as a block is written from front to back, its last slot vouches for
// those before it, so a read costs one comparison a block; otherwise each slot is looked at.
// Says when broken: reader, writer, position, block, and what the slot held.

// checkRead checks all slots of a read, and sorts what it finds by promise.
func (l *Ledger) checkRead(op cache.OpID, r cache.Req, layer int32, at cache.Run, holds []hold) {
	at.Hi = min(at.Hi, l.cfg.MaxLen)
	c := l.owner(r)
	l.extend(c, at.Hi)
	tags, size := l.tagsOf(c), l.cfg.BlockTokens
	runs := l.runs[layer*l.cfg.Blocks : (layer+1)*l.cfg.Blocks]
	l.checks[Content] += int64(at.Hi - at.Lo)
	for i, from := at.Lo/size, at.Lo; from < at.Hi; i++ {
		end := i * size
		to := min(end+size, at.Hi)
		b := at.Table[i]
		x := &runs[b]
		if int(i) >= len(holds) || holds[i] != (hold{b, x.epoch, holds[i].adopted}) || x.n != to-end || x.tag != tags[to-1] {
			l.sift(op, r, c, layer, cache.Run{Table: at.Table, Lo: from, Hi: to}, holds)
		}
		from = to
	}
}

// sift looks at each slot of one block of a read.
func (l *Ledger) sift(op cache.OpID, r cache.Req, c *client, layer int32, run cache.Run, holds []hold) {
	size := l.cfg.BlockTokens
	for p := run.Lo; p < run.Hi; p++ {
		b := run.Table[p/size]
		h, held := hold{}, false
		if i := int(p / size); i < len(holds) && holds[i].block == b {
			h, held = holds[i], true
		}
		s := &l.slots[(layer*l.cfg.Blocks+int32(b))*size+p%size]
		stale := held && s.epoch != h.epoch
		if s.state() == SlotWritten && s.tag == l.tagsOf(c)[p] && !stale {
			continue
		}
		x := Breach{
			Slot: stateOf(s, stale), Reader: c.index, Writer: -1, Op: op, Block: b, Layer: layer, Pos: p,
			Relation: RelNone,
		}
		if s.state() == SlotWritten {
			x.Writer, x.Relation = l.writer(s), l.relation(r, c, s)
		}
		l.sort(x, s, h, stale, s.tag == l.tagsOf(c)[p])
	}
}

func stateOf(s *slot, stale bool) SlotState {
	if s.state() == SlotWritten && stale {
		return SlotStale
	}
	return s.state()
}

// writer is the client whose submission wrote a slot, or -1 if its number has been used again since.
func (l *Ledger) writer(s *slot) int32 {
	for i := range l.clients {
		if l.clients[i].author == s.author {
			return int32(i)
		}
	}
	return -1
}

func (l *Ledger) relation(r cache.Req, c *client, s *slot) Relation {
	switch {
	case s.author == c.author && s.gen == r.Gen:
		return RelSelf
	case s.author == c.author:
		return RelEarlier
	case s.domain == c.id.Domain:
		return RelDomain
	}
	return RelOther
}

// sort records a wrong slot under every promise that it breaks.
func (l *Ledger) sort(x Breach, s *slot, h hold, stale, same bool) {
	if s.state() != SlotWritten || stale {
		x.Promise = Written
		l.breach(x)
		if h.adopted {
			x.Promise = Publish
			l.breach(x)
		}
	}
	if s.state() != SlotWritten || same {
		return
	}
	x.Promise = Content
	l.breach(x)
	if x.Relation == RelOther {
		x.Promise = Tenant
		l.breach(x)
	}
}
