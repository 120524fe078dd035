package invariants

import (
	"slices"

	"custody/cache"
)

// Row promises: a batch row as used by a pass is a pure function of its request; what stands in an unbound
// row is never read.
//
// Observes: each row as the pass uses it, and which request each of the worker's rows is bound to.
//
// Decides: tokens, identity and sampling must be those that the client submitted and must follow; the table must be
// what the request held when the pass was issued (or, where tables are live, holds when it is finished).
//
// Says: the request, the operation, where the row starts, and which part of the row is another's.
const Row ID = 5

const RowChangedDomain Mark = Mark(Row) << markBits

var rowStatement = Statement{
	ID: Row, Name: "row", Unit: "rows used",
	Sentence: "a batch row as used by a pass is a pure function of its request; what stands in an unbound row is " +
		"never read",
	Marks: []MarkStatement{
		{Mark: RowChangedDomain, Name: "row-changed-domain",
			Sentence: "a worker's row was bound to a request of another domain than before"},
	},
}

// checkRow checks what a row holds.
func checkRow(l *Ledger, u *cache.Used, a *account, holds []hold) {
	l.checks[Row]++
	switch {
	case u.ID != a.id:
		badRow(l, u, a, "a row was used under another identity than its request's")
	case u.Sampling != a.sampling:
		badRow(l, u, a, "a row was used with other sampling parameters than its request's")
	case !rightInput(l, u, a):
		badRow(l, u, a, "a row was used with other tokens than its request's")
	case !rightTable(l, u, holds):
		badRow(l, u, a, "a row was used with other blocks than its request held")
	}
}

// checkBound checks whose row a life uses.
func checkBound(l *Ledger, u *cache.Used, a *account) {
	if !l.rows.isBound(u.Row, u.Req) {
		badRow(l, u, a, "a row was used that is not bound to its request")
	}
}

func badRow(l *Ledger, u *cache.Used, a *account, detail string) {
	b := plain(Row, a.client, detail)
	b.Op, b.Pos = u.Op, u.Start
	l.breach(b)
}

func rightInput(l *Ledger, u *cache.Used, a *account) bool {
	end := u.Start + u.N
	if end > l.cfg.Bounds.MaxLen {
		return false
	}
	l.accounts.extend(a, end)
	return slices.Equal(u.Input, l.accounts.tokens[a.first+u.Start:a.first+end])
}

func rightTable(l *Ledger, u *cache.Used, holds []hold) bool {
	n := (u.Start + u.N + l.memory.size - 1) / l.memory.size
	if int(n) > len(holds) || int(n) > len(u.Table) {
		return false
	}
	for i := range n {
		if holds[i].block != u.Table[i] {
			return false
		}
	}
	return true
}

// markBound: a worker's row is bound.
func markBound(l *Ledger, row int32, r cache.Req) {
	who := l.who(r)
	if who < 0 {
		return
	}
	domain := uint64(l.accounts.list[who].id.Domain) + 1
	if before := l.rows.domain[row]; before != 0 && before != domain {
		l.Hit(RowChangedDomain)
	}
	l.rows.domain[row] = domain
}
