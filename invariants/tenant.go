package invariants

import (
	"slices"

	"custody/cache"
)

// Tenant promises: no output token of one isolation domain was computed from a slot written in another.
//
// Observes: with `content`, of which it is the case that a customer means.
//
// Decides: a wrong slot whose writer belongs to another isolation domain breaks both; this one is reported first.
//
// Says: who read whose slot (reader, writer, relation), at which position, in which block and layer, and what the slot
// held.
const Tenant ID = 0

const (
	TwoDomainsSameTokens Mark = Mark(Tenant)<<markBits + iota
	SameDomainShares
)

var tenantStatement = Statement{
	ID: Tenant, Name: "tenant", Unit: "slot reads",
	Sentence: "no output token of one isolation domain was computed from a slot written in another",
	Marks: []MarkStatement{
		{Mark: TwoDomainsSameTokens, Name: "two-domains-same-tokens",
			Sentence: "two isolation domains had live requests whose prompts begin with the same block of tokens"},
		{Mark: SameDomainShares, Name: "same-domain-shares",
			Sentence: "a request was given a block that another request of its domain had filled"},
	},
}

// markSubmitted: a client submits a prompt.
func markSubmitted(l *Ledger, a *account) {
	size := l.memory.size
	if l.marks[TwoDomainsSameTokens] || a.submitted < size {
		return
	}
	for i := range l.accounts.list {
		o := &l.accounts.list[i]
		if !o.waits() || o.id.Domain == a.id.Domain || o.submitted < size {
			continue
		}
		if slices.Equal(l.accounts.tokensOf(o)[:size], l.accounts.tokensOf(a)[:size]) {
			l.Hit(TwoDomainsSameTokens)
		}
	}
}

// markShares: a request is given a block that was filed by somebody.
func markShares(l *Ledger, r cache.Req, a *account, x *entry) {
	if !l.marks[SameDomainShares] {
		_, rel := l.writtenBy(r, a, x.life)
		l.marks[SameDomainShares] = rel == RelDomain
	}
}
