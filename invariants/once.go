package invariants

import "custody/cache"

// Once promises: every request reaches exactly one end, every resource is released exactly once, a completion
// changes nothing but the life that asked for it.
//
// Observes: what happens to requests, and what clients are told.
//
// Decides: it must be possible in the phase in which the ledger saw the request last, in the present generation; a
// token that is taken in must have been sampled for that life (or, while the request waits again, for the life before).
//
// Says: the client, and what happened a second time, too early, or to another life.
const Once ID = 9

// LateResult is reached when a result arrived for a life that had ended.
const LateResult Mark = Mark(Once) << markBits

var onceStatement = Statement{
	ID: Once, Name: "once", Unit: "transitions and ends",
	Sentence: "every request reaches exactly one end, every resource is released exactly once, a completion changes " +
		"nothing but the life that asked for it",
	Marks: []MarkStatement{
		{Mark: LateResult, Name: "late-result", Sentence: "a result arrived for a life that had ended"},
	},
}

func checkLife(l *Ledger, x *presentLife, r cache.Req, k cache.LifeKind, why cache.Cause) {
	l.checks[Once]++
	if k == cache.Accepted {
		if x.phase != over {
			l.breach(plain(Once, l.who(r), "a request was accepted into a slot that is in use"))
		}
		return
	}
	if x.gen != r.Gen || !x.phase.allows(k, why) {
		l.breach(plain(Once, l.who(r), "a request changed state in a life that is not its present one"))
		return
	}
	if givesToken(why) && *x.unsettled() < 1 {
		l.breach(plain(Once, x.client, "a token was taken in that was not sampled for this life"))
	}
}

func checkTold(l *Ledger, a *account, end End) {
	l.checks[Once]++
	if a.conduct.told {
		l.breach(plain(Once, a.client, "a client was told the end of its request twice"))
		return
	}
	if l.lives.isLive(a) {
		l.breach(plain(Once, a.client, "a client was told the end of a request that lives on"))
	}
	if end == EndCancelled && !a.conduct.cancelled {
		l.breach(plain(Once, a.client, "a request was ended as cancelled that nobody cancelled"))
	}
	checkRefusal(l, a, end)
	checkAnswer(l, a, end)
}

// checkEveryEndTold is the check at rest.
func checkEveryEndTold(l *Ledger) {
	for i := range l.accounts.list {
		if a := &l.accounts.list[i]; a.waits() {
			l.breach(plain(Once, a.client, "a client was never told the end of its request"))
		}
	}
}
