package model

import (
	"math/bits"

	"custody/cache"
	"custody/model/kernel"
)

// Hash is the model for hunting: two layers whose KV words are hashes. What it samples depends on every KV slot that it
// reads and on nothing else, so one wrong slot changes the answer.
//
//	layer 0: K0[p] = mix(identity, token p, p)
//	layer 1: K1[p] = mix(sum of K0[0..p])
//	next     = mix(seed, sum of K1[0..n]), brought below the vocabulary's size
//
// The sum is kernel.Sum: each position's words are multiplied by numbers of its own, so that it matters what stands where, and
// all positions can be read at once. Layer 1 mixes it: as sums of sums, two wrong slots of layer 0 could cancel each
// other out.
//
// A slot holds one 64-bit hash: its low half is the K word, its high half the V word.
// Shapes: Layers 2, TokenWords 1 (one head of size 1).
type Hash struct {
	Vocab uint32

	last  cache.Identity // whose contribution is root
	root  uint64
	views []views // scratch: what the rows of a batch touch
}

// views are what a row touches.
type views struct {
	write cache.View
	read  cache.View
}

// NewHash returns a hash model over the vocabulary.
func NewHash(vocab int32) *Hash {
	return &Hash{Vocab: uint32(vocab), root: root(cache.Identity{})}
}

// HashLayers is the number of layers of the hash model.
const HashLayers = 2

const (
	rootSeed  = 0x9e3779b97f4a7c15
	seedPrime = 0xff51afd7ed558ccd
)

// scramble spreads a word's bits (the finalizer of MurmurHash3).
func scramble(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// slot0 is K0 of a token at a position.
func slot0(root uint64, t cache.Token, pos int32) uint64 {
	return scramble(root ^ uint64(uint32(t))<<32 ^ uint64(uint32(pos)))
}

// root is what an identity contributes to every K0, field by field. The domain does not change what a model computes.
func root(id cache.Identity) uint64 {
	h := scramble(rootSeed ^ uint64(id.Adapter))
	h = scramble(h ^ uint64(id.Epoch))
	return scramble(h ^ uint64(id.Layout))
}

// Forward implements Model. All layers of a row are reported at once, all rows' writes before all rows' reads.
func (h *Hash) Forward(b *Batch, mem *cache.Memory) {
	h.views = h.views[:0]
	for i := range b.Rows {
		row := &b.Rows[i]
		h.views = append(h.views, views{write: mem.Write(&row.Used, cache.AllLayers)})
		h.first(row, h.views[i].write)
	}
	for i := range b.Rows {
		row, v, layer := &b.Rows[i], &h.views[i], 0
		if row.Sample {
			layer = cache.AllLayers
		}
		v.read = mem.Read(&row.Used, layer).Sound()
		h.second(row, v)
	}
	for i := range b.Rows {
		if row := &b.Rows[i]; row.Sample {
			sum := kernel.SumOf(&h.views[i].read, 1, int(row.Start+row.N))
			row.Next = append(row.Next[:0], h.sample(row, sum.Total))
		}
	}
}

// rootOf is what an identity contributes. Most rows have the identity of the one before, but for the domain.
func (h *Hash) rootOf(id cache.Identity) uint64 {
	id.Domain = 0
	if h.last != id {
		h.last, h.root = id, root(id)
	}
	return h.root
}

// first writes layer 0 of the positions that a row computes.
func (h *Hash) first(row *Row, v cache.View) {
	base, pos := h.rootOf(row.ID), row.Start
	if row.N == 1 {
		x := slot0(base, row.Input[0], pos)
		v.Put(pos, uint32(x), uint32(x>>32))
		return
	}
	for i := range v.Blocks() {
		k, val := v.Block(i)
		for j := range k {
			x := slot0(base, row.Input[pos-row.Start], pos)
			k[j], val[j] = uint32(x), uint32(x>>32)
			pos++
		}
	}
}

// second reads layer 0 up to the row's last position and writes layer 1 of the positions that the row computes.
func (h *Hash) second(row *Row, v *views) {
	sum, to := kernel.SumOf(&v.read, 0, int(row.Start)+1), v.write.Layer(1)
	x := scramble(sum.Total)
	to.Put(row.Start, uint32(x), uint32(x>>32))
	if row.N == 1 {
		return
	}
	from, to := v.read.From(row.Start+1), to.From(row.Start+1)
	for i := range from.Blocks() {
		k, val := from.Block(i)
		k1, val1 := to.Block(i)
		for j := range k {
			sum.Add(k[j], val[j])
			x := scramble(sum.Total)
			k1[j], val1[j] = uint32(x), uint32(x>>32)
		}
	}
}

func (h *Hash) sample(row *Row, sum uint64) cache.Token {
	share, _ := bits.Mul64(scramble(sum^(row.Sampling.Seed+rootSeed)*seedPrime), uint64(h.Vocab))
	return cache.Token(share)
}
