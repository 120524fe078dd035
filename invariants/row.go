package invariants

import (
	"slices"

	"custody/cache"
)

var rowStatement = Statement{
	ID: Row, Name: "row", Unit: "rows used",
	Sentence: "a batch row as used by a pass is a pure function of its request; what stands in an unbound row is never read",
}

// Observes: each row as the pass uses it, and which request each of the worker's rows is bound to.
// Decides: tokens, identity and sampling must be those that the client submitted and must follow; the table must be what
// the request held when the pass was issued.

func (l *Ledger) checkRow(u *cache.Used, holds []hold) {
	l.checks[Row]++
	c := l.owner(u.Req)
	switch {
	case u.ID != c.id:
		l.badRow(u, c, "a row was used under another identity than its request's")
	case u.Sampling != c.sampling:
		l.badRow(u, c, "a row was used with other sampling parameters than its request's")
	case !l.rightInput(u, c):
		l.badRow(u, c, "a row was used with other tokens than its request's")
	case !l.rightTable(u, holds):
		l.badRow(u, c, "a row was used with other blocks than its request held")
	case l.current(u.Req) != nil && !l.isBound(u):
		l.badRow(u, c, "a row was used that is not bound to its request")
	}
}

func (l *Ledger) badRow(u *cache.Used, c *client, detail string) {
	b := plain(Row, c.index, detail)
	b.Op, b.Pos = u.Op, u.Start
	l.breach(b)
}

func (l *Ledger) rightInput(u *cache.Used, c *client) bool {
	end := u.Start + u.N
	if end > l.cfg.MaxLen {
		return false
	}
	l.extend(c, end)
	return slices.Equal(u.Input, l.tokensOf(c)[u.Start:end])
}

func (l *Ledger) rightTable(u *cache.Used, holds []hold) bool {
	n := (u.Start + u.N + l.cfg.BlockTokens - 1) / l.cfg.BlockTokens
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

func (l *Ledger) isBound(u *cache.Used) bool {
	return u.Row >= 0 && int(u.Row) < len(l.rows) && l.bound[u.Row] && l.rows[u.Row] == u.Req
}
