package model

import "custody/cache"

// Hash is the model for hunting: two layers whose KV words are hashes. What it samples depends on every KV slot that it
// reads and on nothing else, so one wrong slot changes the answer.
//
//	layer 0: K0[p] = mix(identity, token p, p)
//	layer 1: K1[p] = fold of K0[0..p]
//	next     = mix(seed, fold of K1[0..n]) mod vocabulary
//
// A slot holds one 64-bit hash: its low half is the K word, its high half the V word.
// Shapes: Layers 2, TokenWords 1 (one head of size 1).
type Hash struct {
	Vocab uint32

	last  cache.Identity // whose contribution is root
	root  uint64
	views []views  // scratch: what the rows of a batch touch
	k1    []uint64 // scratch: layer 1 of the positions that a row computes
}

// views are what a row touches.
type views struct {
	write, read cache.View
}

// NewHash returns a hash model over the vocabulary.
func NewHash(vocab int32) *Hash {
	return &Hash{Vocab: uint32(vocab), root: root(cache.Identity{})}
}

// HashLayers is the number of layers of the hash model.
const HashLayers = 2

const (
	foldSeed  = 0x9e3779b97f4a7c15
	foldPrime = 0xff51afd7ed558ccd
)

// fold adds a slot to a prefix digest, in the order of positions.
func fold(sum, x uint64) uint64 { return (sum ^ x) * foldPrime }

// scramble spreads a word's bits (the finalizer of MurmurHash3).
func scramble(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// first is K0 of a token at a position.
func first(root uint64, t cache.Token, pos int32) uint64 {
	return scramble(root ^ uint64(uint32(t))<<32 ^ uint64(uint32(pos)))
}

// root is what an identity contributes to every K0, field by field. The domain does not change what a model computes.
func root(id cache.Identity) uint64 {
	h := scramble(foldSeed ^ uint64(id.Adapter))
	h = scramble(h ^ uint64(id.Epoch))
	return scramble(h ^ uint64(id.Layout))
}

// Forward implements Model. All layers of a row are reported at once, all rows' writes before all rows' reads.
func (h *Hash) Forward(b *Batch, mem *cache.Memory) {
	h.views = h.views[:0]
	for i := range b.Rows {
		row := &b.Rows[i]
		h.views = append(h.views, views{write: mem.Write(&row.Used, cache.AllLayers)})
		h.writeFirst(row, h.views[i].write)
	}
	for i := range b.Rows {
		row, layer := &b.Rows[i], 0
		if row.Sample {
			layer = cache.AllLayers
		}
		h.views[i].read = mem.Read(&row.Used, layer)
		h.foldFirst(row, h.views[i].read)
		h.writeSecond(h.views[i].write.Layer(1))
	}
	for i := range b.Rows {
		if row := &b.Rows[i]; row.Sample {
			row.Next = append(row.Next[:0], h.sample(row, foldSecond(h.views[i].read.Layer(1))))
		}
	}
}

// rootOf is what an identity contributes. Rows of one identity come after one another.
func (h *Hash) rootOf(id *cache.Identity) uint64 {
	if h.last != *id {
		h.last, h.root = *id, root(*id)
	}
	return h.root
}

func (h *Hash) writeFirst(row *Row, v cache.View) {
	base, pos := h.rootOf(&row.ID), row.Start
	for i := range v.Blocks() {
		k, val := v.Block(i)
		for j := range k {
			x := first(base, row.Input[pos-row.Start], pos)
			k[j], val[j] = uint32(x), uint32(x>>32)
			pos++
		}
	}
}

// foldFirst reads layer 0 up to the row's last position and keeps the folds at the positions that it computes.
func (h *Hash) foldFirst(row *Row, v cache.View) {
	h.k1 = h.k1[:0]
	sum, pos := uint64(foldSeed), int32(0)
	for i := range v.Blocks() {
		k, val := v.Block(i)
		val = val[:len(k)]
		if pos+int32(len(k)) <= row.Start {
			for j := range k {
				sum = fold(sum, uint64(k[j])|uint64(val[j])<<32)
			}
			pos += int32(len(k))
			continue
		}
		for j := range k {
			sum = fold(sum, uint64(k[j])|uint64(val[j])<<32)
			if pos >= row.Start {
				h.k1 = append(h.k1, sum)
			}
			pos++
		}
	}
}

// writeSecond writes layer 1 of the positions whose folds were kept.
func (h *Hash) writeSecond(v cache.View) {
	k1 := h.k1
	for i := range v.Blocks() {
		k, val := v.Block(i)
		for j := range k {
			k[j], val[j] = uint32(k1[j]), uint32(k1[j]>>32)
		}
		k1 = k1[len(k):]
	}
}

func foldSecond(v cache.View) uint64 {
	sum := uint64(foldSeed)
	for i := range v.Blocks() {
		k, val := v.Block(i)
		val = val[:len(k)]
		for j := range k {
			sum = fold(sum, uint64(k[j])|uint64(val[j])<<32)
		}
	}
	return sum
}

func (h *Hash) sample(row *Row, sum uint64) cache.Token {
	return cache.Token(scramble(sum^scramble(row.Sampling.Seed+foldSeed)) % uint64(h.Vocab))
}
