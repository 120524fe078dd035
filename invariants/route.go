package invariants

import "custody/cache"

// Route promises: each token reaches the client that asked, in order, none missing, none repeated.
//
// Observes: tokens as the model samples them and as clients receive them.
//
// Decides: the n-th token that a client receives is the one that was sampled for its n-th output position. An answer
// that ends by itself is complete: it ends in its end-of-sequence token, or has as many tokens as were asked for.
//
// Says: the client, and the position of the token that went astray.
const Route ID = 10

// MessagesInterleaved is reached when messages to two clients were on their way at the same time.
const MessagesInterleaved Mark = Mark(Route) << markBits

var routeStatement = Statement{
	ID: Route, Name: "route", Unit: "tokens delivered and answers ended",
	Sentence: "each token reaches the client that asked, in order, none missing, none repeated",
	Marks: []MarkStatement{
		{Mark: MessagesInterleaved, Name: "messages-interleaved",
			Sentence: "messages to two clients were on their way at the same time"},
	},
}

func checkDelivered(l *Ledger, a *account, t cache.Token) {
	l.checks[Route]++
	pos := a.submitted + a.delivered
	switch {
	case a.conduct.told:
		l.breach(plain(Route, a.client, "a token was delivered after the end"))
	case a.conduct.stopped:
		l.breach(plain(Route, a.client, "a token was delivered behind the end-of-sequence token"))
	case pos >= a.limit:
		l.breach(plain(Route, a.client, "more tokens were delivered than were asked for"))
	case pos >= a.sampled || l.accounts.seenAt(a, pos) != t:
		a.conduct.strayed = true
		b := plain(Route, a.client, "a token was delivered that was not sampled for this client at this position")
		b.Pos = pos
		l.breach(b)
	}
}

func checkAnswer(l *Ledger, a *account, end End) {
	l.checks[Route]++
	whole := a.submitted+a.delivered == a.limit
	last := cache.Token(-1)
	if n := a.submitted + a.delivered; a.delivered > 0 && n <= a.limit {
		last = l.accounts.seenBy(a)[a.submitted+a.delivered-1]
	}
	switch {
	case end == EndLength && !whole:
		l.breach(plain(Route, a.client, "an answer ended before its last token was delivered"))
	case end == EndStop && (a.delivered == 0 || last != a.eos):
		l.breach(plain(Route, a.client, "an answer ended as stopped without its end-of-sequence token"))
	}
}
