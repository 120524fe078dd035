package invariants

import "custody/cache"

var onceStatement = Statement{
	ID: Once, Name: "once", Unit: "transitions and ends",
	Sentence: "every request reaches exactly one end, every resource is released exactly once, a completion changes nothing but the life that asked for it",
}

// Observes: what happens to requests, and what clients are told.
// Decides: it must be possible in the phase in which the ledger saw the request last, in the present generation; a token
// that is taken in must have been sampled for that life (or, while the request waits again, for the life before).

func (l *Ledger) checkLife(r cache.Req, k cache.LifeKind, why cache.Cause) {
	l.checks[Once]++
	x := &l.lives[r.Slot]
	if k == cache.Accepted {
		if x.live {
			l.breach(plain(Once, l.who(r), "a request was accepted into a slot that is in use"))
		}
		return
	}
	if !x.live || x.gen != r.Gen || !x.phase.allows(k, why) {
		l.breach(plain(Once, l.who(r), "a request changed state in a life that is not its present one"))
		return
	}
	if givesToken(why) && *x.unsettled() < 1 {
		l.breach(plain(Once, x.client, "a token was taken in that was not sampled for this life"))
	}
}

func (l *Ledger) checkTold(c *client, end End) {
	l.checks[Once]++
	if c.told {
		l.breach(plain(Once, c.index, "a client was told the end of its request twice"))
		return
	}
	if c.slot >= 0 && l.lives[c.slot].live && l.lives[c.slot].client == c.index {
		l.breach(plain(Once, c.index, "a client was told the end of a request that lives on"))
	}
	if end == EndCancelled && !c.asked {
		l.breach(plain(Once, c.index, "a request was ended as cancelled that nobody cancelled"))
	}
	l.checkRefusal(c, end)
	l.checkAnswer(c, end)
}
