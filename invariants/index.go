package invariants

import "custody/cache"

// indexBook is which blocks can be found by content, and for what each of them was filed.
type indexBook struct {
	entries []entry // by block
	filed   contentIndex
}

// entry is what a published block was filed for.
type entry struct {
	published bool
	life      uint32     // that published it, by number
	op        cache.OpID // the pass that was still to write it, or 0
	tag       uint64
	id        cache.Identity
}

func newIndexBook(blocks int32) indexBook {
	return indexBook{entries: make([]entry, blocks), filed: newContentIndex(blocks)}
}

func (x *indexBook) reset() {
	clear(x.entries)
	x.filed.reset()
}

func (x *indexBook) cloneInto(dst *indexBook) {
	copy(dst.entries, x.entries)
	x.filed.cloneInto(&dst.filed)
}

// contentIndex finds entries by content: a hash table whose links are the blocks themselves.
type contentIndex struct {
	heads []cache.BlockID
	next  []cache.BlockID
	tags  []uint64 // by block
	contents
}

func newContentIndex(blocks int32) contentIndex {
	n := 1
	for n < int(blocks) {
		n *= 2
	}
	x := contentIndex{heads: make([]cache.BlockID, n), next: make([]cache.BlockID, blocks), tags: make([]uint64, blocks)}
	x.reset()
	return x
}

func (x *contentIndex) reset() {
	for i := range x.heads {
		x.heads[i] = cache.None
	}
	x.contents = contents{}
}

func (x *contentIndex) head(tag uint64) *cache.BlockID {
	return &x.heads[(tag^tag>>32)&uint64(len(x.heads)-1)]
}

func (x *contentIndex) add(b cache.BlockID, tag uint64) {
	if !x.has(tag) {
		x.gain(tag)
	}
	at := x.head(tag)
	x.tags[b], x.next[b] = tag, *at
	*at = b
}

func (x *contentIndex) remove(b cache.BlockID, tag uint64) {
	for at := x.head(tag); *at != cache.None; at = &x.next[*at] {
		if *at == b {
			*at = x.next[b]
			break
		}
	}
	if !x.has(tag) {
		x.lose(tag)
	}
}

func (x *contentIndex) has(tag uint64) bool {
	for b := *x.head(tag); b != cache.None; b = x.next[b] {
		if x.tags[b] == tag {
			return true
		}
	}
	return false
}

func (x *contentIndex) cloneInto(dst *contentIndex) {
	copy(dst.heads, x.heads)
	copy(dst.next, x.next)
	copy(dst.tags, x.tags)
	dst.contents = x.contents
}
