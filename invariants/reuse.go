package invariants

import "custody/cache"

var reuseStatement = Statement{
	ID: Reuse, Name: "reuse", Unit: "admissions",
	Sentence: "a lookup returns the longest prefix that the ledger knows to be valid under the policy: a deficit is a defect too",
}

// Observes: blocks published and unpublished, and what a request is given when it is admitted.
// Decides: when an admission begins, the ledger walks the request's own content block by block as long as some entry was
// filed for it. The last token is never part of a hit. What the request is given must be as long.

// filing finds entries by content: a hash table whose links are the blocks themselves.
type filing struct {
	heads []cache.BlockID
	next  []cache.BlockID
	tags  []uint64 // by block
	contents
}

func newFiling(blocks int32) filing {
	n := 1
	for n < int(blocks) {
		n *= 2
	}
	f := filing{heads: make([]cache.BlockID, n), next: make([]cache.BlockID, blocks), tags: make([]uint64, blocks)}
	f.reset()
	return f
}

func (f *filing) reset() {
	for i := range f.heads {
		f.heads[i] = cache.None
	}
	f.contents = contents{}
}

func (f *filing) head(tag uint64) *cache.BlockID {
	return &f.heads[(tag^tag>>32)&uint64(len(f.heads)-1)]
}

func (f *filing) add(b cache.BlockID, tag uint64) {
	if !f.has(tag) {
		f.gain(tag)
	}
	at := f.head(tag)
	f.tags[b], f.next[b] = tag, *at
	*at = b
}

func (f *filing) remove(b cache.BlockID, tag uint64) {
	for at := f.head(tag); *at != cache.None; at = &f.next[*at] {
		if *at == b {
			*at = f.next[b]
			break
		}
	}
	if !f.has(tag) {
		f.lose(tag)
	}
}

func (f *filing) has(tag uint64) bool {
	for b := *f.head(tag); b != cache.None; b = f.next[b] {
		if f.tags[b] == tag {
			return true
		}
	}
	return false
}

func (f *filing) cloneInto(dst *filing) {
	copy(dst.heads, f.heads)
	copy(dst.next, f.next)
	copy(dst.tags, f.tags)
	dst.contents = f.contents
}

// longest is the number of leading blocks of a request that can be found.
func (l *Ledger) longest(r cache.Req) int32 {
	c, known, size := l.owner(r), l.knownTokens(r), l.cfg.BlockTokens
	n := int32(0)
	for (n+1)*size < known {
		l.extend(c, (n+1)*size)
		if !l.filed.has(l.tagsOf(c)[(n+1)*size-1]) {
			break
		}
		n++
	}
	return n
}

func (l *Ledger) checkHit(k cache.TryKind, r cache.Req) {
	switch k {
	case cache.Begun:
		l.expectedHit = l.longest(r)
	case cache.Failed:
		x := &l.lives[r.Slot]
		x.looked = max(x.looked, l.expectedHit)
	case cache.Committed:
		l.checks[Reuse]++
		got := l.lives[r.Slot].valid / l.cfg.BlockTokens
		l.markAdmitted(r, got)
		if got < l.expectedHit {
			b := plain(Reuse, l.who(r), "a request was given fewer blocks of its prefix than can be found")
			b.Pos = got * l.cfg.BlockTokens
			l.breach(b)
		}
	}
}
