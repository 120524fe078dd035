package invariants

import "custody/cache"

// Owner promises: every block is free, or held by live references that add up; never both, never twice on the
// free list.
//
// Observes: blocks handed out, found, dropped, freed, poisoned.
//
// Decides: by its own count of references. Audit recounts them from its own tables.
//
// Says: the block, the request if one acted, and what does not add up.
const Owner ID = 8

const SharedOutlivesHolder Mark = Mark(Owner) << markBits

var ownerStatement = Statement{
	ID: Owner, Name: "owner", Unit: "block events",
	Sentence: "every block is free, or held by live references that add up; never both, never twice on the free " +
		"list",
	Marks: []MarkStatement{
		{Mark: SharedOutlivesHolder, Name: "shared-outlives-a-holder",
			Sentence: "a block stayed held when one of its holders released it"},
	},
}

func checkAlloc(l *Ledger, r cache.Req, b cache.BlockID) {
	l.checks[Owner]++
	if x := &l.blocks.list[b]; x.held || x.refs != 0 {
		l.breach(blamed(Owner, l.who(r), b, "a block was handed out that is still held"))
	}
}

func checkDrop(l *Ledger, r cache.Req, b cache.BlockID) {
	l.checks[Owner]++
	x := &l.blocks.list[b]
	switch mine := l.lives.current(r) != nil; {
	case x.refs <= 0:
		l.breach(blamed(Owner, l.who(r), b, "a reference was dropped that nobody had"))
	case mine && l.blocks.indexIn(r.Slot, b) < 0:
		l.breach(blamed(Owner, l.who(r), b, "a request dropped a block that it does not hold"))
	case !mine && x.refs <= x.tabled:
		l.breach(blamed(Owner, l.who(r), b, "a life that has ended dropped a block that others hold"))
	}
}

func checkFreed(l *Ledger, b cache.BlockID) {
	l.checks[Owner]++
	switch x := &l.blocks.list[b]; {
	case x.refs > 0:
		l.breach(blamed(Owner, -1, b, "a block was freed while references to it live"))
	case !x.held:
		l.breach(blamed(Owner, -1, b, "a block was freed twice"))
	}
}

func checkPoison(l *Ledger, b cache.BlockID) {
	l.checks[Owner]++
	if x := &l.blocks.list[b]; x.refs > 0 || l.index.entries[b].published {
		l.breach(blamed(Owner, -1, b, "a block was poisoned that is held or can still be found"))
	}
}
