package invariants

import "custody/cache"

var onceStatement = Statement{
	ID: Once, Name: "once", Unit: "transitions and ends",
	Sentence: "every request reaches exactly one end, every resource is released exactly once, a completion changes nothing but the life that asked for it",
}

// Observes: every transition of a request's life, and what clients are told.
// Decides: a transition must start from the state that the ledger saw last, in the present generation; a token that is
// taken in must have been sampled for that life (or, while the request waits after a preemption, for the life before).

func (l *Ledger) checkLife(r cache.Req, from, on uint8) {
	l.checks[Once]++
	x := &l.lives[r.Slot]
	if on == onSubmit {
		if x.live {
			l.breach(plain(Once, l.who(r), "a request was accepted into a slot that is in use"))
		}
		return
	}
	if !x.live || x.gen != r.Gen || x.state != from {
		l.breach(plain(Once, l.who(r), "a request changed state in a life that is not its present one"))
		return
	}
	if on != onToken && on != onStop && on != onLength {
		return
	}
	if has := x.sampled; (from != stPreempted && has < 1) || (from == stPreempted && x.earlier < 1) {
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
