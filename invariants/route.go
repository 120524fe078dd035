package invariants

import "custody/cache"

var routeStatement = Statement{
	ID: Route, Name: "route", Unit: "tokens delivered and answers ended",
	Sentence: "each token reaches the client that asked, in order, none missing, none repeated",
}

// Observes: tokens as the model samples them and as clients receive them.
// Decides: the n-th token that a client receives is the one that was sampled for its n-th output position. An answer
// that ends by itself is complete: it ends in its end-of-sequence token, or has as many tokens as were asked for.

func (l *Ledger) checkDelivered(c *client, t cache.Token) {
	l.checks[Route]++
	pos := c.submitted + c.delivered
	switch {
	case c.told:
		l.breach(plain(Route, c.index, "a token was delivered after the end"))
	case c.stopped:
		l.breach(plain(Route, c.index, "a token was delivered behind the end-of-sequence token"))
	case pos >= c.limit:
		l.breach(plain(Route, c.index, "more tokens were delivered than were asked for"))
	case pos >= c.sampled || l.seenBy(c)[pos] != t:
		c.strayed = true
		b := plain(Route, c.index, "a token was delivered that was not sampled for this client at this position")
		b.Pos = pos
		l.breach(b)
	}
}

func (l *Ledger) checkAnswer(c *client, end End) {
	l.checks[Route]++
	whole := c.submitted+c.delivered == c.limit
	last := cache.Token(-1)
	if n := c.submitted + c.delivered; c.delivered > 0 && n <= c.limit {
		last = l.seenBy(c)[c.submitted+c.delivered-1]
	}
	switch {
	case end == EndLength && !whole:
		l.breach(plain(Route, c.index, "an answer ended before its last token was delivered"))
	case end == EndStop && (c.delivered == 0 || last != c.eos):
		l.breach(plain(Route, c.index, "an answer ended as stopped without its end-of-sequence token"))
	}
}
