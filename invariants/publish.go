package invariants

import "custody/cache"

// Publish promises: nothing is read through a cache entry before it is written (writes of the same pass
// count, layer by layer); an entry whose writer ended, failed or was refused before writing is gone before anyone else
// finds it; an entry is gone before its slots are reused.
//
// Observes: blocks published, found and handed out; reads.
//
// Decides: an entry made without a pass that is to write it needs a written block. An entry that is found must exist,
// and be written or promised by a pass that is still to come. A block that is handed out must have no entry left. That
// nothing is read through an entry before it is written is seen at the read, with `content`.
//
// Says: the block, and the request that published it, found it, or was handed it.
const Publish ID = 4

const (
	FoundBeforeWritten Mark = Mark(Publish)<<markBits + iota
	WithdrawnUnwritten
)

var publishStatement = Statement{
	ID: Publish, Name: "publish", Unit: "entries made, used and reused",
	Needs: HidesPolicies,
	Sentence: "nothing is read through a cache entry before it is written (writes of the same pass count, layer by " +
		"layer); an entry whose writer ended, failed or was refused before writing is gone before anyone else " +
		"finds it; an entry is gone before its slots are reused",
	Marks: []MarkStatement{
		{Mark: FoundBeforeWritten, Name: "found-before-written",
			Sentence: "a block was found that the pass which was to write it had not settled"},
		{Mark: WithdrawnUnwritten, Name: "withdrawn-unwritten", Sentence: "an entry was withdrawn whose block was never written"},
	},
}

// checkPublished checks an entry that has just been made.
func checkPublished(l *Ledger, a *account, b cache.BlockID) {
	l.checks[Publish]++
	x := &l.index.entries[b]
	if x.op != 0 {
		return
	}
	if age := &l.memory.ages[b]; age.wiped == age.epoch {
		l.Hit(PoisonedAndRewritten)
	}
	if !l.memory.whole(b, x.tag) {
		l.breach(blamed(Publish, a.client, b, "a block was published before it was written"))
	}
}

// markWithdrawn: an entry has ended.
func markWithdrawn(l *Ledger, b cache.BlockID, x *entry) {
	if x.op != 0 && !l.memory.whole(b, x.tag) {
		l.Hit(WithdrawnUnwritten)
	}
}

// checkEntry checks an entry that was found.
func checkEntry(l *Ledger, r cache.Req, b cache.BlockID) {
	l.checks[Publish]++
	x := &l.index.entries[b]
	switch {
	case !x.published:
		l.breach(blamed(Publish, l.who(r), b, "a block was found through an entry that is gone"))
	case l.ops.comes(x.op):
		l.Hit(FoundBeforeWritten)
	case !l.memory.whole(b, x.tag):
		l.breach(blamed(Publish, l.who(r), b, "a block was found whose writer ended before writing it"))
	}
}

// checkReused checks a block that is handed out.
func checkReused(l *Ledger, r cache.Req, b cache.BlockID) {
	l.checks[Publish]++
	if l.index.entries[b].published {
		l.breach(blamed(Publish, l.who(r), b, "a block was handed out that can still be found"))
	}
}
