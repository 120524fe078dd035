package invariants

import (
	"math/bits"

	"custody/cache"
)

// The ledger's own account of what a slot must hold and of what the hash model must answer. It shares no code with the
// engine. A tag stands for the identity and for all tokens up to a position: two slots with one tag hold the same KV.

const (
	tagPrime   = 0x9fb21c651e98df25
	hashSeed   = 0x9e3779b97f4a7c15
	hashPrime  = 0xff51afd7ed558ccd
	hashPrime2 = 0xc4ceb9fe1a85ec53
)

func tagRoot(id cache.Identity) uint64 {
	t := uint64(0x1d8e4e27c47d124f)
	for _, field := range [...]uint32{id.Domain, id.Adapter, id.Epoch, id.Layout} {
		t = nextTag(t, cache.Token(field))
	}
	return t
}

func nextTag(t uint64, tok cache.Token) uint64 {
	t = (t ^ uint64(uint32(tok)) ^ t>>35) * tagPrime
	return t ^ t>>28
}

// finish64 is the finalizer that the hash model is defined with.
func finish64(x uint64) uint64 {
	x = (x ^ x>>33) * hashPrime
	x = (x ^ x>>33) * hashPrime2
	return x ^ x>>33
}

// The multipliers of position 0, and what they go up by from position to position, for the low and for the high half of a slot.
const (
	lowFirst, lowStep   = 2654435761, 2246822506
	highFirst, highStep = 3266489917, 668265262
)

// term is what a slot at a position contributes to a layer's sum.
func term(slot uint64, pos int32) uint64 {
	low, high := lowFirst+lowStep*uint32(pos), highFirst+highStep*uint32(pos)
	return slot&(1<<32-1)*uint64(low) + slot>>32*uint64(high)
}

// answer follows the hash model through one request in constant time a token: the sums of its two layers over all tokens so
// far. A layer's sum at a position is the one before and a term, and a slot of layer 1 is made of layer 0's sum there. So
// nothing before has to be looked at again.
type answer struct {
	root, seed, layer0, layer1 uint64
}

func newAnswer(id cache.Identity, s cache.Sampling) answer {
	root := uint64(hashSeed)
	for _, field := range [...]uint32{id.Adapter, id.Epoch, id.Layout} {
		root = finish64(root ^ uint64(field))
	}
	return answer{root: root, seed: (s.Seed + hashSeed) * hashPrime}
}

// take adds the token at a position.
func (a *answer) take(t cache.Token, pos int32) {
	a.layer0 += term(finish64(a.root^uint64(uint32(t))<<32^uint64(uint32(pos))), pos)
	a.layer1 += term(finish64(a.layer0), pos)
}

// next is the token after those taken: the hash's share of 2⁶⁴, of the vocabulary.
func (a *answer) next(vocab int32) cache.Token {
	token, _ := bits.Mul64(finish64(a.layer1^a.seed), uint64(vocab))
	return cache.Token(token)
}
