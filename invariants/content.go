package invariants

import "custody/cache"

// Content promises: every KV slot that a request reads at position p was written for exactly its own tokens
// up to p, under its identity.
//
// Observes: every read and write that the memory accessor hands out.
//
// Decides: each written slot carries a tag of the identity and of all tokens up to its position, derived from what the
// client submitted. A read is right if the slot's tag is the reader's own at that position and the slot was written
// since the reader took or found the block. As long as a block is written from front to back, its last slot vouches for
// those before it, so a read costs one comparison a block; otherwise each slot is looked at. Where all
// layers of a row are reported at once (cache.AllLayers), as by the hash model and not by the transformer, a row that reads
// a layer before another row of its pass has written it goes unseen here; `solo` sees the wrong token.
//
// Says: reader, writer and how the one stands to the other, position, block, layer, and what the slot held.
const Content ID = 1

const FoundInPart Mark = Mark(Content) << markBits

var contentStatement = Statement{
	ID: Content, Name: "content", Unit: "slot reads",
	Sentence: "every KV slot that a request reads at position p was written for exactly its own tokens up to p, " +
		"under its identity",
	Marks: []MarkStatement{
		{Mark: FoundInPart, Name: "found-in-part", Sentence: "some blocks of a prompt were found and the next one was not"},
	},
}

// checkRead checks all slots of a read, and sorts what it finds by promise.
func checkRead(l *Ledger, op cache.OpID, r cache.Req, layer int, at cache.Run, holds []hold) {
	at.Hi = min(at.Hi, l.accounts.maxLen)
	a := l.owner(r)
	l.accounts.extend(a, at.Hi)
	from, end := l.memory.span(layer)
	l.checks[Content] += int64(at.Hi-at.Lo) * int64(end-from)
	if at.Lo >= at.Hi || l.memory.vouches(layer, at, holds, l.accounts.tagsOf(a)) {
		return
	}
	for ; from < end; from++ {
		for part := (cache.Run{Table: at.Table, Hi: at.Lo}); part.Hi < at.Hi; {
			part.Lo, part.Hi = part.Hi, min((part.Hi/l.memory.size+1)*l.memory.size, at.Hi)
			if !l.memory.vouches(int(from), part, holds, l.accounts.tagsOf(a)) {
				sift(l, op, r, a, from, part, holds)
			}
		}
	}
}

// sift looks at each slot of one block of a read.
func sift(l *Ledger, op cache.OpID, r cache.Req, a *account, layer int32, run cache.Run, holds []hold) {
	size := l.memory.size
	for p := run.Lo; p < run.Hi; p++ {
		b := run.Table[p/size]
		h, held := hold{}, false
		if i := int(p / size); i < len(holds) && holds[i].block == b {
			h, held = holds[i], true
		}
		s := l.memory.slotAt(layer, b, p%size)
		f := finding{same: s.tag == l.accounts.tagsOf(a)[p], adopted: h.adopted}
		f.state = l.memory.state(s, b, held && s.epoch != h.epoch)
		if f.state == SlotWritten && f.same {
			continue
		}
		x := Breach{Slot: f.state, Reader: a.client, Writer: -1, Op: op, Block: b, Layer: layer, Pos: p, Relation: RelNone}
		if f.holdsContent() {
			x.Writer, x.Relation = l.writtenBy(r, a, s.life)
		}
		breachSlot(l, x, f)
	}
}

// finding is what was found out about a slot that was read.
type finding struct {
	state   SlotState
	same    bool // its content is the reader's own at that position
	adopted bool // the reader has found its block by content
}

// holdsContent tells whether somebody's tokens are in the slot.
func (f *finding) holdsContent() bool { return f.state == SlotWritten || f.state == SlotStale }

// breachSlot records a wrong slot under every promise that it breaks.
func breachSlot(l *Ledger, x Breach, f finding) {
	if f.state != SlotWritten {
		x.Promise = Written
		l.breach(x)
		if f.adopted {
			x.Promise = Publish
			l.breach(x)
		}
	}
	if !f.holdsContent() || f.same {
		return
	}
	x.Promise = Content
	l.breach(x)
	if x.Relation == RelOther {
		x.Promise = Tenant
		l.breach(x)
	}
}
