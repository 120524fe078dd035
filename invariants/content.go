package invariants

import "custody/cache"

var contentStatement = Statement{
	ID: Content, Name: "content", Unit: "slot reads",
	Sentence: "every KV slot that a request reads at position p was written for exactly its own tokens up to p, under its identity",
}

// Observes: every read and write that the memory accessor hands out.
// Decides: each written slot carries a tag of the identity and of all tokens up to its position, derived from what the
// client submitted. A read is right if the slot's tag is the reader's own at that position and the slot was written
// since the reader took or found the block. A slot also carries how many slots before it, in its block, it continues;
// so a right last slot vouches for the block, and a read costs one comparison a block.
// Says when broken: reader, writer, position, block, and what the slot held.

// checkRead checks all slots of a read, and sorts what it finds by promise.
func (l *Ledger) checkRead(op cache.OpID, r cache.Req, layer int32, run cache.Run, holds []hold) {
	run.Hi = min(run.Hi, l.cfg.MaxLen)
	c := l.owner(r)
	l.extend(c, run.Hi)
	tags, size := l.tagsOf(c), l.cfg.BlockTokens
	base := layer * l.cfg.Blocks
	l.checks[Content] += int64(run.Hi - run.Lo)
	for i, from := run.Lo/size, run.Lo; from < run.Hi; i++ {
		to := min((i+1)*size, run.Hi)
		b := run.Table[i]
		s := &l.slots[(base+int32(b))*size+(to-1)%size]
		sure := int(i) < len(holds) && holds[i].block == b && holds[i].epoch == s.epoch
		if !sure || s.tag != tags[to-1] || int32(s.lead) < to-from {
			l.sift(op, r, c, layer, cache.Run{Table: run.Table, Lo: from, Hi: to}, holds)
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
		if s.state == SlotWritten && s.tag == l.tagsOf(c)[p] && !stale {
			continue
		}
		x := Breach{
			Slot: stateOf(s, stale), Reader: c.index, Writer: -1, Op: op, Block: b, Layer: layer, Pos: p,
			Relation: RelNone,
		}
		if s.state == SlotWritten {
			x.Writer, x.Relation = s.client, l.relation(r, c, s)
		}
		l.sort(x, s, h, stale, s.tag == l.tagsOf(c)[p])
	}
}

func stateOf(s *slot, stale bool) SlotState {
	if s.state == SlotWritten && stale {
		return SlotStale
	}
	return s.state
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
	if s.state != SlotWritten || stale {
		x.Promise = Written
		l.breach(x)
		if h.adopted {
			x.Promise = Publish
			l.breach(x)
		}
	}
	if s.state != SlotWritten || same {
		return
	}
	x.Promise = Content
	l.breach(x)
	if x.Relation == RelOther {
		x.Promise = Tenant
		l.breach(x)
	}
}
