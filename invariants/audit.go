package invariants

import "custody/cache"

// Audit is the full check of what the ledger keeps incrementally. It must agree with the incremental checks: on a run
// without a breach it finds none.
func (l *Ledger) Audit() {
	for i, counted := range l.blocks.count() {
		b, e := cache.BlockID(i), &l.index.entries[i]
		if !l.hides(HidesFacts) {
			auditReferences(l, b, counted)
		}
		if e.published && !l.ops.comes(e.op) && !l.memory.intact(b, e.tag) {
			l.breach(blamed(Publish, -1, b, "an entry stands for content that its block does not hold"))
		}
	}
}

// auditReferences compares a block's references with the tables that hold it.
func auditReferences(l *Ledger, b cache.BlockID, counted int32) {
	x := &l.blocks.list[b]
	l.checks[Owner]++
	if x.refs < counted {
		l.breach(blamed(Owner, -1, b, "more tables hold a block than it has references"))
	}
	if x.held != (x.refs > 0) {
		l.breach(blamed(Owner, -1, b, "a block without references is not free"))
	}
}
