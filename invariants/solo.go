package invariants

import (
	"slices"

	"custody/cache"
)

var soloStatement = Statement{
	ID: Solo, Name: "solo", Unit: "tokens sampled",
	Sentence: "a request's tokens equal those it gets alone on a fresh engine",
}

// Observes: every token that the model samples, and ends as clients hear of them.
// Decides: the ledger follows the hash model through each request with its own code, so it knows the token that the
// request would get alone when it is sampled. Any other model is asked at the end of a request: prompt and outputs are
// computed once more on a fresh cache, and at every position the token that follows is compared.

// Alone answers what a request gets that has a fresh engine to itself.
type Alone interface {
	// Differs returns the first position from prompt on at which another token than the text's would follow what stands
	// before it, or -1.
	Differs(id cache.Identity, s cache.Sampling, text []cache.Token, prompt int32) int32
}

func (l *Ledger) checkSolo(r cache.Req, pos int32, t cache.Token) {
	c := l.owner(r)
	if l.cfg.Alone != nil {
		if pos < c.known && l.tokensOf(c)[pos] != t {
			l.notAlone(c, pos)
		}
		return
	}
	l.checks[Solo]++
	if l.expected(c, pos) != t {
		l.notAlone(c, pos)
	}
}

// checkAlone is the check at the end of a request.
func (l *Ledger) checkAlone(c *client) {
	if l.cfg.Alone == nil || c.sampled == c.submitted {
		return
	}
	outputs := l.seenBy(c)[c.submitted:c.sampled]
	if slices.Contains(outputs, -1) {
		return // a position was passed over: other promises say so
	}
	l.checks[Solo] += int64(len(outputs))
	l.extend(c, c.sampled)
	if pos := l.cfg.Alone.Differs(c.id, c.sampling, l.tokensOf(c)[:c.sampled], c.submitted); pos >= 0 {
		l.notAlone(c, pos)
	}
}

func (l *Ledger) notAlone(c *client, pos int32) {
	c.strayed = true
	b := plain(Solo, c.index, "a token was sampled that the request would not get alone")
	b.Pos = pos
	l.breach(b)
}
