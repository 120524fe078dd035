package invariants

import "custody/cache"

// Audit is the full check of what the ledger keeps incrementally. It must agree with the incremental checks: on a run
// without a breach it finds none.
func (l *Ledger) Audit() {
	counted := l.countHolds()
	for b := range l.blocks {
		x := &l.blocks[b]
		l.checks[Owner]++
		if x.refs < counted[b] {
			l.breach(blamed(Owner, -1, cache.BlockID(b), "more tables hold a block than it has references"))
		}
		if x.held != (x.refs > 0) {
			l.breach(blamed(Owner, -1, cache.BlockID(b), "a block without references is not free"))
		}
		if x.published && !l.comes(x.entry.op) && !l.intact(cache.BlockID(b), x.entry.tag) {
			l.breach(blamed(Publish, -1, cache.BlockID(b), "an entry stands for content that its block does not hold"))
		}
	}
}

// comes tells whether an operation is still to write what an entry promises.
func (l *Ledger) comes(op cache.OpID) bool { return op > l.issued || (op != 0 && l.find(op) != nil) }

// intact tells whether a block holds the content that ends in the tag, by its slots as well as by what vouches for them.
func (l *Ledger) intact(b cache.BlockID, tag uint64) bool {
	size := l.cfg.BlockTokens
	for layer := range l.cfg.Layers {
		at := layer*l.cfg.Blocks + int32(b)
		slots := l.slots[at*size : (at+1)*size]
		for i := range slots {
			if l.stateOf(&slots[i], b, slots[i].epoch != l.runs[at].epoch) != SlotWritten {
				return false
			}
		}
		if slots[size-1].tag != tag {
			return false
		}
	}
	return l.whole(b, tag)
}

// countHolds counts by block the live table entries that hold it.
func (l *Ledger) countHolds() []int32 {
	counted := l.scratch[:len(l.blocks)]
	clear(counted)
	for s := range l.lives {
		if l.lives[s].live {
			for _, h := range l.table(int32(s)) {
				counted[h.block]++
			}
		}
	}
	return counted
}
