package invariants

import "custody/cache"

var keyStatement = Statement{
	ID: Key, Name: "key", Unit: "blocks found",
	Sentence: "a lookup never answers one identity with another's blocks, whatever the keys do; every tier derives the same key",
}

// Observes: blocks published and blocks found.
// Decides: when a block is published, the ledger notes the identity and the content that it was filed for, from the
// client's side. When it is found for a request, both must be the request's own. (There is one tier so far.)

func (l *Ledger) checkFound(r cache.Req, b cache.BlockID) {
	l.checkEntry(r, b)
	l.checks[Key]++
	x := &l.blocks[b]
	if !x.published {
		return // `publish` says so
	}
	c := l.owner(r)
	end := min((l.lives[r.Slot].holds+1)*l.cfg.BlockTokens, l.knownTokens(r))
	l.extend(c, end)
	l.markFound(r, c, &x.entry)
	if x.entry.id == c.id && x.entry.tag == l.tagsOf(c)[end-1] {
		return
	}
	detail := "a block was found for other tokens than it was filed for"
	if x.entry.id != c.id {
		detail = "a block was found under another identity than it was filed for"
	}
	y := blamed(Key, c.index, b, detail)
	y.Writer, y.Relation = l.writtenBy(r, c, x.entry.writer)
	l.breach(y)
}

// knownTokens is the number of tokens that the request has. The source of a tail copy stands in the table behind the
// blocks of them all, and was found for the last one.
func (l *Ledger) knownTokens(r cache.Req) int32 {
	return min(l.owner(r).submitted+l.lives[r.Slot].taken, l.cfg.MaxLen)
}
