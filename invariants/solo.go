package invariants

import (
	"slices"

	"custody/cache"
)

// Solo promises: a request's tokens equal those it gets alone on a fresh engine.
//
// Observes: every token that the model samples, and ends as clients hear of them.
//
// Decides: the ledger follows the hash model through each request with its own code, so it knows the token that the
// request would get alone when it is sampled. Any other model is asked at the end of a request: prompt and outputs are
// computed once more on a fresh cache, and at every position the token that follows is compared.
//
// Says: the client, and the first position at which it was given another token.
const Solo ID = 11

// DomainsInOnePass is reached when one pass computed requests of two domains.
const DomainsInOnePass Mark = Mark(Solo) << markBits

var soloStatement = Statement{
	ID: Solo, Name: "solo", Unit: "tokens sampled",
	Sentence: "a request's tokens equal those it gets alone on a fresh engine",
	Marks: []MarkStatement{
		{Mark: DomainsInOnePass, Name: "domains-in-one-pass", Sentence: "one pass computed requests of two domains"},
	},
}

// Alone answers what a request gets that has a fresh engine to itself.
type Alone interface {
	// Differs returns the first position from prompt on at which another token than the text's would follow what stands
	// before it, or -1.
	Differs(id cache.Identity, s cache.Sampling, text []cache.Token, prompt int32) int32
}

func checkSolo(l *Ledger, a *account, pos int32, t cache.Token) {
	if !l.accounts.follows {
		if pos < a.known && l.accounts.tokensOf(a)[pos] != t {
			notAlone(l, a, pos)
		}
		return
	}
	l.checks[Solo]++
	if l.accounts.expected(a, pos) != t {
		notAlone(l, a, pos)
	}
}

// checkAlone is the check at the end of a request.
func checkAlone(l *Ledger, a *account) {
	if l.accounts.follows || a.sampled == a.submitted {
		return
	}
	outputs := l.accounts.seenBy(a)[a.submitted:a.sampled]
	if slices.Contains(outputs, -1) {
		return // a position was passed over: other promises say so
	}
	l.checks[Solo] += int64(len(outputs))
	l.accounts.extend(a, a.sampled)
	if pos := l.cfg.Parties.Alone.Differs(a.id, a.sampling, l.accounts.tokensOf(a)[:a.sampled], a.submitted); pos >= 0 {
		notAlone(l, a, pos)
	}
}

func notAlone(l *Ledger, a *account, pos int32) {
	a.conduct.strayed = true
	b := plain(Solo, a.client, "a token was sampled that the request would not get alone")
	b.Pos = pos
	l.breach(b)
}
