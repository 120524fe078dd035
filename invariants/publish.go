package invariants

import "custody/cache"

var publishStatement = Statement{
	ID: Publish, Name: "publish", Unit: "entries made, used and reused",
	Sentence: "nothing is read through a cache entry before it is written (writes of the same pass count, layer by layer); an entry whose writer ended, failed or was refused before writing is gone before anyone else finds it; an entry is gone before its slots are reused",
}

// Observes: blocks published, found and handed out; reads.
// Decides: an entry made without a pass that is to write it needs a written block. An entry that is found must exist,
// and be written or promised by a pass that is still to come. A block that is handed out must have no entry left. That
// nothing is read through an entry before it is written is seen at the read, with `content`.

// seePublish notes what a block is filed for.
func (l *Ledger) seePublish(r cache.Req, b cache.BlockID, op cache.OpID) {
	l.checks[Publish]++
	c := l.owner(r)
	end := (l.indexOf(r, b) + 1) * l.cfg.BlockTokens
	l.extend(c, end)
	l.seeUnpublish(b) // a second entry takes the place of the first
	x := &l.blocks[b]
	x.published = true
	x.entry = entry{id: c.id, op: op, writer: l.writerOf(r)}
	if end > 0 && end <= l.cfg.MaxLen {
		x.entry.tag = l.tagsOf(c)[end-1]
	}
	l.filed.add(b, x.entry.tag)
	l.attempt.files(b)
	if op == 0 && x.wiped == x.epoch {
		l.Reach(PoisonedAndRewritten)
	}
	if op == 0 && !l.whole(b, x.entry.tag) {
		l.breach(blamed(Publish, c.index, b, "a block was published before it was written"))
	}
}

func (l *Ledger) seeUnpublish(b cache.BlockID) {
	x := &l.blocks[b]
	if !x.published {
		return
	}
	x.published = false
	l.filed.remove(b, x.entry.tag)
	l.attempt.unfiles(b)
	if x.entry.op != 0 && !l.whole(b, x.entry.tag) {
		l.Reach(WithdrawnUnwritten)
	}
	if !l.marks[OneOfTwoEntriesWent] {
		l.marks[OneOfTwoEntriesWent] = l.filed.has(x.entry.tag)
	}
}

// indexOf is the block's place in the request's table, or -1.
func (l *Ledger) indexOf(r cache.Req, b cache.BlockID) int32 {
	table := l.table(r.Slot)
	for i := len(table) - 1; i >= 0; i-- {
		if table[i].block == b {
			return int32(i)
		}
	}
	return -1
}

// whole tells whether a block, in its last layer, holds the content that ends in the tag.
func (l *Ledger) whole(b cache.BlockID, tag uint64) bool {
	x := &l.runs[(l.cfg.Layers-1)*l.cfg.Blocks+int32(b)]
	return x.n == l.cfg.BlockTokens && x.tag == tag
}

// checkEntry checks an entry that was found.
func (l *Ledger) checkEntry(r cache.Req, b cache.BlockID) {
	l.checks[Publish]++
	x := &l.blocks[b]
	switch {
	case !x.published:
		l.breach(blamed(Publish, l.who(r), b, "a block was found through an entry that is gone"))
	case !l.comes(x.entry.op) && !l.whole(b, x.entry.tag):
		l.breach(blamed(Publish, l.who(r), b, "a block was found whose writer ended before writing it"))
	}
}

// checkReuse checks a block that is handed out.
func (l *Ledger) checkReuse(r cache.Req, b cache.BlockID) {
	l.checks[Publish]++
	if l.blocks[b].published {
		l.breach(blamed(Publish, l.who(r), b, "a block was handed out that can still be found"))
	}
}
