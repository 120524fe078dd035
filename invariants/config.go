package invariants

import "slices"

var configStatement = Statement{
	ID: Agreed, Name: "config", Unit: "operations issued",
	Sentence: "two parties that write and read the same KV, or index by the same ids, agree on every layout field, or the pair never runs",
}

// Observes: what each party has been configured with, from whoever configured it, and operations issued.
// Decides: no operation is issued while two parties differ in a field. What a worker of another layout writes is content of
// another identity, so a handshake that lets it pass breaks `content` too, as soon as somebody reads.

// agree compares the parties' layouts, field by field.
func agree(layouts [][]int64) bool {
	for _, l := range layouts {
		if !slices.Equal(l, layouts[0]) {
			return false
		}
	}
	return true
}

func (l *Ledger) checkAgreed() {
	l.checks[Agreed]++
	if l.foreign {
		l.breach(plain(Agreed, -1, "an operation was issued to a worker of another layout"))
	}
}

// estrange marks slots that a worker of another layout has just written.
func estrange(slots []slot) {
	for i := range slots {
		slots[i].tag = ^slots[i].tag
	}
}
