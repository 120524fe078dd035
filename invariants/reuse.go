package invariants

import "custody/cache"

// Reuse promises: a lookup returns the longest prefix that the ledger knows to be valid under the policy: a
// deficit is a defect too.
//
// Observes: blocks published and unpublished, and what a request is given when it is admitted.
//
// Decides: when an admission begins, the ledger walks the request's own content block by block as long as some entry
// was filed for it. The last token is never part of a hit. What the request is given must be as long.
//
// Says: the request, and the position from which it computes again what can be found.
const Reuse ID = 17

const FoundWhole Mark = Mark(Reuse) << markBits

var reuseStatement = Statement{
	ID: Reuse, Name: "reuse", Unit: "admissions",
	Needs: HidesFacts,
	Sentence: "a lookup returns the longest prefix that the ledger knows to be valid under the policy: a deficit is " +
		"a defect too",
	Marks: []MarkStatement{
		{Mark: FoundWhole, Name: "found-whole", Sentence: "a request was given every block of its tokens that can be a hit"},
	},
}

// longest is the number of leading blocks of a request that can be found.
func longest(l *Ledger, r cache.Req) int32 {
	a, known, size := l.owner(r), l.knownTokens(r), l.memory.size
	n := int32(0)
	for (n+1)*size < known {
		l.accounts.extend(a, (n+1)*size)
		if !l.index.filed.has(l.accounts.tagsOf(a)[(n+1)*size-1]) {
			break
		}
		n++
	}
	return n
}

func checkHit(l *Ledger, k cache.TryKind, r cache.Req) {
	switch k {
	case cache.Admitting:
		l.attempts.hit = longest(l, r)
	case cache.Failed:
		x := &l.lives.present[r.Slot]
		x.looked = max(x.looked, l.attempts.hit)
	case cache.Committed:
		l.checks[Reuse]++
		got := l.lives.present[r.Slot].valid / l.memory.size
		markAdmitted(l, r)
		markFound(l, r, got)
		if got < l.attempts.hit {
			b := plain(Reuse, l.who(r), "a request was given fewer blocks of its prefix than can be found")
			b.Pos = got * l.memory.size
			l.breach(b)
		}
	}
}

// markFound: a request has been given its blocks, the first `found` of them by content.
func markFound(l *Ledger, r cache.Req, found int32) {
	switch most := (l.knownTokens(r) - 1) / l.memory.size; {
	case found > 0 && found == most:
		l.Hit(FoundWhole)
	case found > 0:
		l.Hit(FoundInPart)
	}
}
