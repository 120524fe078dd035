package cache

import "slices"

// index finds published blocks by key: a hash table with the blocks themselves as its links, so that it allocates
// nothing. Two blocks may have one key (two requests computed the same content at once, or the key is narrow);
// the one that was published first is found first.
type index struct {
	heads     []BlockID // by the key's low bits
	next      []BlockID // by block
	key       []uint64  // by block: the chain key in full; the table only uses the bits in keep
	tokens    []Token   // by block: the tokens of the block itself
	published []bool
	keep      uint64 // mask of the key width
	block     int32  // tokens a block
	count     int32
	passed    int64 // entries of other content that lookups met under their key
}

func newIndex(blocks, blockTokens int32, keyBits int) index {
	heads := 1
	for heads < int(blocks) {
		heads *= 2
	}
	keep := ^uint64(0)
	if keyBits < 64 {
		keep = 1<<keyBits - 1
	}
	x := index{
		heads: make([]BlockID, heads), next: make([]BlockID, blocks), key: make([]uint64, blocks),
		tokens: make([]Token, blocks*blockTokens), published: make([]bool, blocks), keep: keep, block: blockTokens,
	}
	x.reset()
	return x
}

func (x *index) reset() {
	for i := range x.heads {
		x.heads[i] = None
	}
	clear(x.published)
	clear(x.next)
	clear(x.key)
	clear(x.tokens)
	x.count, x.passed = 0, 0
}

func (x *index) bucket(key uint64) int { return int(key & x.keep & uint64(len(x.heads)-1)) }

// find returns the block published first under the key whose content is the one asked for, or None.
// The table compares keys of the configured width; the content check then compares the tokens of the block and the
// full chain key, which stands for the identity and for all tokens before the block.
func (x *index) find(key uint64, tokens []Token) BlockID {
	for b := x.heads[x.bucket(key)]; b != None; b = x.next[b] {
		if (x.key[b]^key)&x.keep == 0 && x.holds(b, key, tokens) {
			return b
		}
	}
	return None
}

// holds is the content check of a hit; an entry of other content is passed over.
func (x *index) holds(b BlockID, key uint64, tokens []Token) bool {
	same := x.key[b] == key && slices.Equal(x.tokens[int32(b)*x.block:][:x.block], tokens)
	if !same {
		x.passed++
	}
	return same
}

// add files a block, behind those that have the same key. It reports whether the content is new.
func (x *index) add(b BlockID, key uint64, tokens []Token) bool {
	x.key[b], x.published[b], x.next[b] = key, true, None
	copy(x.tokens[int32(b)*x.block:][:x.block], tokens)
	known := false
	at := &x.heads[x.bucket(key)]
	for ; *at != None; at = &x.next[*at] {
		known = known || x.key[*at] == key
	}
	*at = b
	x.count++
	return !known
}

// remove takes a block's entry out. It reports whether the content is gone with it.
func (x *index) remove(b BlockID) bool {
	another := false
	at := &x.heads[x.bucket(x.key[b])]
	for ; *at != b; at = &x.next[*at] {
		another = another || x.key[*at] == x.key[b]
	}
	*at = x.next[b]
	x.published[b] = false
	x.count--
	for c := *at; c != None && !another; c = x.next[c] {
		another = x.key[c] == x.key[b]
	}
	return !another
}

// leave visits the blocks of a table in the order in which they leave it. Blocks with an entry leave last-first, so that
// the tail of a chain is evicted before its head; blocks without one are put in front as one run, in the same last-first
// order (vLLM's free).
func (x *index) leave(table []BlockID, visit func(BlockID)) {
	for _, b := range table {
		if !x.published[b] {
			visit(b)
		}
	}
	for i := len(table) - 1; i >= 0; i-- {
		if b := table[i]; x.published[b] {
			visit(b)
		}
	}
}

// behind is the next block that a lookup under the block's key would come to, or None.
func (x *index) behind(b BlockID) BlockID {
	next := x.next[b]
	for next != None && (x.key[next]^x.key[b])&x.keep != 0 {
		next = x.next[next]
	}
	return next
}

func (x *index) cloneInto(dst *index) {
	copy(dst.heads, x.heads)
	copy(dst.next, x.next)
	copy(dst.key, x.key)
	copy(dst.tokens, x.tokens)
	copy(dst.published, x.published)
	dst.keep, dst.block, dst.count, dst.passed = x.keep, x.block, x.count, x.passed
}
