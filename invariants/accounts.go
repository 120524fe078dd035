package invariants

import (
	"slices"

	"custody/cache"
)

// accountBook is what clients have submitted, what must follow it, and what they were told.
type accountBook struct {
	list        []account
	submissions uint32        // so far
	tokens      []cache.Token // [client][maxLen]: what was submitted and what must follow
	seen        []cache.Token // [client][maxLen]: what the model sampled
	heard       []cache.Token // [client][maxLen]: prompt, and what the client was told; only if a tenant has a marker
	tags        []uint64      // [client][maxLen]
	marked      bool          // a tenant has a marker
	follows     bool          // the ledger follows the model; else the outputs are what was sampled
	maxLen      int32
	vocab       int32
}

// account is what the ledger knows of one submission, from the client's side.
type account struct {
	client     int32
	first      int32  // of its positions in the lists by client
	submission uint32 // by number: client numbers are used again, and what was written stays
	slot       int32  // of the request table; -1 before it is accepted
	tenant     int32
	id         cache.Identity
	sampling   cache.Sampling
	eos        cache.Token
	priority   int32
	submitted  int32 // tokens of the prompt
	limit      int32 // most tokens, prompt and output
	known      int32 // tokens whose tags are derived
	answer     answer
	sampled    int32 // positions for which a token was sampled are below this
	delivered  int32
	conduct    conduct
}

// conduct is what has come to pass between a client and the engine.
type conduct struct {
	cancelled bool // it went away
	injected  bool // the script has made the worker refuse it
	stopped   bool // its end-of-sequence token has been delivered
	hopeless  bool // it must be turned away, whatever else is going on
	told      bool // its end
	strayed   bool // it was given a token that it would not get alone
}

// waits tells whether a client has been let in and still waits for its end.
func (a *account) waits() bool { return a.slot >= 0 && !a.conduct.told }

func newAccountBook(cfg *Config) accountBook {
	return accountBook{
		marked: marked(cfg.Parties.Markers), follows: cfg.Parties.Alone == nil, maxLen: cfg.Bounds.MaxLen, vocab: cfg.Bounds.Vocab,
	}
}

func (k *accountBook) reset() { k.list, k.submissions = k.list[:0], 0 }

func (k *accountBook) cloneInto(dst *accountBook) {
	dst.list, dst.submissions = append(dst.list[:0], k.list...), k.submissions
	dst.tokens = append(dst.tokens[:0], k.tokens...)
	dst.seen = append(dst.seen[:0], k.seen...)
	dst.heard = append(dst.heard[:0], k.heard...)
	dst.tags = append(dst.tags[:0], k.tags...)
}

// open opens a client's account for what it submits.
func (k *accountBook) open(client int32, s *Submission) *account {
	for int(client) >= len(k.list) {
		k.grow()
	}
	n := int32(len(s.Prompt))
	a := &k.list[client]
	*a = account{
		client: client, first: client * k.maxLen, submission: k.submissions, slot: -1, tenant: s.Tenant, id: s.ID,
		sampling: s.Sampling, eos: s.EOS, priority: s.Priority, submitted: n, sampled: n,
		limit:  int32(min(int64(n)+int64(max(s.Max, 0)), int64(k.maxLen))),
		answer: newAnswer(s.ID, s.Sampling),
	}
	k.submissions++
	copy(k.tokensOf(a), s.Prompt)
	k.hear(a, 0, s.Prompt...)
	return a
}

// grow adds an account, and room for the positions of a few at a time.
func (k *accountBook) grow() {
	if len(k.list) == cap(k.list) {
		k.list = slices.Grow(k.list, accountsAtOnce)
	}
	k.list = append(k.list, account{slot: -1})
	if len(k.list)*int(k.maxLen) <= len(k.tokens) {
		return
	}
	more := accountsAtOnce * k.maxLen
	k.tokens = append(k.tokens, make([]cache.Token, more)...)
	k.seen = append(k.seen, make([]cache.Token, more)...)
	k.tags = append(k.tags, make([]uint64, more)...)
	if k.marked {
		k.heard = append(k.heard, make([]cache.Token, more)...)
	}
}

const accountsAtOnce = 8

func (k *accountBook) tokensOf(a *account) []cache.Token {
	return k.tokens[a.first:][:k.maxLen]
}

func (k *accountBook) seenBy(a *account) []cache.Token {
	return k.seen[a.first:][:k.maxLen]
}

func (k *accountBook) tagsOf(a *account) []uint64 {
	return k.tags[a.first:][:k.maxLen]
}

// tagAt is one of the tags, of a position below maxLen.
func (k *accountBook) tagAt(a *account, pos int32) uint64 { return k.tags[a.first+pos] }

// seenAt is one of the tokens that were sampled, of a position below maxLen.
func (k *accountBook) seenAt(a *account, pos int32) cache.Token { return k.seen[a.first+pos] }

// hear notes what a client has said or was told from a position on.
func (k *accountBook) hear(a *account, from int32, tokens ...cache.Token) {
	if k.marked && from < k.maxLen {
		copy(k.heard[a.first:][from:k.maxLen], tokens)
	}
}

// said is what a client has said, and what it was told.
func (k *accountBook) said(a *account) (prompt, answer []cache.Token) {
	all := k.heard[a.first:][:min(a.submitted+a.delivered, k.maxLen)]
	n := min(a.submitted, int32(len(all)))
	return all[:n], all[n:]
}

// saw takes in that a token was sampled for a position.
func (k *accountBook) saw(a *account, pos int32, t cache.Token) {
	if pos >= k.maxLen {
		return
	}
	for p := a.sampled; p < pos; p++ {
		k.seen[a.first+p] = -1 // passed over
	}
	k.seen[a.first+pos] = t
	a.sampled = max(a.sampled, pos+1)
}

// extend derives tokens and tags of an account's first n positions, if they are not known yet.
func (k *accountBook) extend(a *account, n int32) {
	if n > a.known {
		k.derive(a, n)
	}
}

func (k *accountBook) derive(a *account, n int32) {
	tokens, tags := k.tokensOf(a), k.tagsOf(a)
	var tag uint64
	if a.known > 0 {
		tag = tags[a.known-1]
	} else {
		tag = tagRoot(a.id)
	}
	n = min(n, k.maxLen)
	if !k.follows && n > a.sampled {
		clear(tags[a.sampled:n]) // nobody can know what stands there
		n = a.sampled
	}
	for ; a.known < n; a.known++ {
		p := a.known
		switch {
		case p < a.submitted:
		case k.follows:
			tokens[p] = a.answer.next(k.vocab)
		default:
			tokens[p] = k.seenBy(a)[p]
		}
		tag = nextTag(tag, tokens[p])
		tags[p] = tag
		a.answer.take(tokens[p], p)
	}
}

// expected is the token that must stand at a position.
func (k *accountBook) expected(a *account, pos int32) cache.Token {
	k.extend(a, pos+1)
	return k.tokens[a.first+min(pos, k.maxLen-1)]
}
