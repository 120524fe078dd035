package invariants

import "custody/cache"

// client is what the ledger knows of one submission, from the client's side.
type client struct {
	index     int32
	author    uint32 // number of the submission: client numbers are used again, and what was written stays
	slot      int32  // of the request table; -1 before it is accepted
	tenant    int32
	id        cache.Identity
	sampling  cache.Sampling
	eos       cache.Token
	prio      int32
	submitted int32 // tokens of the prompt
	limit     int32 // most tokens, prompt and output
	known     int32 // tokens whose tags are derived
	answer    answer
	sampled   int32 // positions for which a token was sampled are below this
	delivered int32
	asked     bool // it went away
	injected  bool // the script has made the worker refuse it
	stopped   bool // its end-of-sequence token has been delivered
	hopeless  bool // it must be turned away, whatever else is going on
	told      bool
	strayed   bool // it was given a token that it would not get alone
}

// Ask is a submission.
type Ask struct {
	Tenant   int32
	ID       cache.Identity
	Prompt   []cache.Token
	Max      int32
	EOS      cache.Token
	Priority int32 // lower is sooner
	Sampling cache.Sampling
}

// Submitted tells the ledger what a client asks for, before the engine hears of it. Client numbers may be used again
// when the end of the earlier request has been told.
func (l *Ledger) Submitted(index int32, a *Ask) {
	for int(index) >= len(l.clients) {
		l.addClient()
	}
	c := &l.clients[index]
	limit := int32(min(int64(len(a.Prompt))+int64(max(a.Max, 0)), int64(l.cfg.MaxLen)))
	*c = client{
		index: index, author: l.authors, slot: -1, tenant: a.Tenant, id: a.ID, sampling: a.Sampling, eos: a.EOS, prio: a.Priority,
		submitted: int32(len(a.Prompt)), sampled: int32(len(a.Prompt)), limit: limit, answer: newAnswer(a.ID, a.Sampling),
	}
	l.authors++
	copy(l.tokensOf(c), a.Prompt)
	l.hear(c, 0, a.Prompt...)
	l.markSubmitted(c)
	c.hopeless = l.hopeless(a)
	l.offered = index
	if l.extra != nil {
		l.tell(Event{Kind: SawSubmitted, A: int64(index)})
	}
}

func (l *Ledger) addClient() {
	l.clients = append(l.clients, client{slot: -1})
	if n := len(l.clients) * int(l.cfg.MaxLen); n > len(l.tokens) {
		more := make([]cache.Token, l.cfg.MaxLen)
		l.tokens, l.seen = append(l.tokens, more...), append(l.seen, more...)
		l.tags = append(l.tags, make([]uint64, l.cfg.MaxLen)...)
		if l.marked {
			l.heard = append(l.heard, more...)
		}
	}
}

func (l *Ledger) tokensOf(c *client) []cache.Token {
	return l.tokens[c.index*l.cfg.MaxLen : (c.index+1)*l.cfg.MaxLen]
}

func (l *Ledger) seenBy(c *client) []cache.Token {
	return l.seen[c.index*l.cfg.MaxLen : (c.index+1)*l.cfg.MaxLen]
}

func (l *Ledger) tagsOf(c *client) []uint64 {
	return l.tags[c.index*l.cfg.MaxLen : (c.index+1)*l.cfg.MaxLen]
}

// extend derives tokens and tags of a client's first n positions, if they are not known yet. Where the ledger cannot follow
// the model, the outputs are what was sampled.
func (l *Ledger) extend(c *client, n int32) {
	if n > c.known {
		l.derive(c, n)
	}
}

func (l *Ledger) derive(c *client, n int32) {
	tokens, tags := l.tokensOf(c), l.tagsOf(c)
	var tag uint64
	if c.known > 0 {
		tag = tags[c.known-1]
	} else {
		tag = tagRoot(c.id)
	}
	n = min(n, l.cfg.MaxLen)
	if l.cfg.Alone != nil && n > c.sampled {
		clear(tags[c.sampled:n]) // nobody can know what stands there
		n = c.sampled
	}
	for ; c.known < n; c.known++ {
		p := c.known
		switch {
		case p < c.submitted:
		case l.cfg.Alone != nil:
			tokens[p] = l.seenBy(c)[p]
		default:
			tokens[p] = c.answer.next(l.cfg.Vocab)
		}
		tag = nextTag(tag, tokens[p])
		tags[p] = tag
		c.answer.take(tokens[p], p)
	}
}

// expected is the token that must stand at a position.
func (l *Ledger) expected(c *client, pos int32) cache.Token {
	l.extend(c, pos+1)
	return l.tokensOf(c)[min(pos, l.cfg.MaxLen-1)]
}

// Delivered tells the ledger that a token has reached a client.
func (l *Ledger) Delivered(index int32, t cache.Token) {
	c := &l.clients[index]
	l.checkDelivered(c, t)
	l.hear(c, c.submitted+c.delivered, t)
	c.delivered++
	c.stopped = t == c.eos
	if l.extra != nil {
		l.tell(Event{Kind: SawDelivered, A: int64(index), B: int64(t)})
	}
}

// Told tells the ledger that a client has heard of its request's end.
func (l *Ledger) Told(index int32, end End) {
	c := &l.clients[index]
	l.checkTold(c, end)
	l.checkAlone(c)
	l.checkMarkers(c)
	c.told = true
	if l.extra != nil {
		l.tell(Event{Kind: SawTold, A: int64(index), B: int64(end)})
	}
}

// WentAway tells the ledger that a client has cancelled.
func (l *Ledger) WentAway(index int32) { l.clients[index].asked = true }

// Injected tells the ledger that the script makes the worker refuse the client's request.
func (l *Ledger) Injected(index int32) { l.clients[index].injected = true }

// End is how a request ended, as its client heard it.
type End uint8

// The ends.
const (
	EndStop End = iota
	EndLength
	EndCancelled
	EndRefused // by the worker
)
