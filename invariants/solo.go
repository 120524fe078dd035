package invariants

import "custody/cache"

var soloStatement = Statement{
	ID: Solo, Name: "solo", Unit: "tokens sampled",
	Sentence: "a request's tokens equal those it gets alone on a fresh engine",
}

// Observes: every token that the model samples.
// Decides: the ledger follows the hash model through each request with its own code, so it knows the token that the
// request would get alone.

func (l *Ledger) checkSolo(r cache.Req, pos int32, t cache.Token) {
	l.checks[Solo]++
	c := l.owner(r)
	if want := l.expected(c, pos); want != t {
		b := plain(Solo, c.index, "a token was sampled that the request would not get alone")
		b.Pos = pos
		l.breach(b)
	}
}
