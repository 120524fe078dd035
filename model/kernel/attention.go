package kernel

import (
	"fmt"
	"math"

	"custody/model/numeric"
)

// Attention is grouped-query attention over paged KV: query head h reads the KV head h / (Heads/KVHeads). It owns the
// scratch, so it has one caller at a time.
type Attention struct {
	Heads, KVHeads int
	Size           int // of a head; a multiple of 8

	stride  int       // of the scores
	scores  []float32 // [head][position]
	inverse []float32 // [head] 1 / the sum of the exponentials
	tile    tile
}

// NewAttention returns the attention of the shape.
func NewAttention(heads, kvHeads, size int) *Attention {
	return &Attention{Heads: heads, KVHeads: kvHeads, Size: size, inverse: make([]float32, heads), tile: newTile(size)}
}

// Reserve makes room for n positions.
func (a *Attention) Reserve(n int) {
	if n = roundUp(n, lanes); n > a.stride {
		a.stride = roundUp(n, 64)
		a.scores = make([]float32, a.Heads*a.stride)
		a.tile.reserve(a.stride)
	}
}

// Queries is Query for count queries at consecutive positions, of which the first sees positions [0,n) and each other
// one more than the one before it. out and q: [query][head][dim], with rows of the width stride.
func (a *Attention) Queries(out, q []float32, stride, count int, k, v [][]uint32, n int) {
	a.check(k, v, n+count-1)
	size := (count-1)*stride + a.Heads*a.Size
	out, q = out[:size], q[:size]
	for i := a.tiles(out, q, stride, k, v, n, count); i < count; i++ {
		a.Query(out[i*stride:], q[i*stride:], k, v, n+i)
	}
}

// Query sets out, [head][dim], to the attention of the query q, [head][dim], over positions [0,n), for which room was
// reserved. k and v are the blocks in the order of positions, [slot][kv head][dim] as float32 bits, all of one size but for
// the last. q is scaled already.
func (a *Attention) Query(out, q []float32, k, v [][]uint32, n int) {
	a.check(k, v, n)
	out, q = out[:a.Heads*a.Size], q[:a.Heads*a.Size]
	group := a.Heads / a.KVHeads
	for h := 0; h < a.Heads; {
		together := 1
		if group%2 == 0 {
			together = 2
		}
		a.heads(out, q, k, v, n, h, together)
		h += together
	}
}

// check refuses more positions than there is room for. The assembly does not look.
func (a *Attention) check(k, v [][]uint32, n int) {
	if width := a.KVHeads * a.Size; n > a.stride || n > slots(k, width) || n > slots(v, width) {
		panic(fmt.Sprintf("kernel: attention over %d positions, with room for %d and blocks of %d and %d",
			n, a.stride, slots(k, width), slots(v, width)))
	}
}

// slots is the number of slots in blocks of one size, but for the last one.
func slots(blocks [][]uint32, width int) int {
	last := len(blocks) - 1
	if last < 0 {
		return 0
	}
	return (last*len(blocks[0]) + len(blocks[last])) / width
}

// heads computes one query head, or two that read the same KV head.
func (a *Attention) heads(out, q []float32, k, v [][]uint32, n, h, count int) {
	s := a.span(h/(a.Heads/a.KVHeads), n)
	scores := a.scores[h*a.stride:][:count*a.stride]
	dot(scores, a.stride, q[h*a.Size:][:count*a.Size], k, s, count)
	for i := range count {
		row := scores[i*a.stride:][:roundUp(n, lanes)]
		for j := n; j < len(row); j++ {
			row[j] = masked
		}
		a.inverse[h+i] = 1 / softmax(row)
	}
	mix(out[h*a.Size:][:count*a.Size], scores, a.stride, a.inverse[h:][:count], v, s, count)
}

// Weights appends to dst the weights that the head of the last query, computed alone, gave to positions [0,n): they add up to 1.
func (a *Attention) Weights(dst []float32, head, n int) []float32 {
	for _, e := range a.scores[head*a.stride:][:n] {
		dst = append(dst, float32(e*a.inverse[head]))
	}
	return dst
}

// masked is a score that is not above any other and whose exponential is 0.
const masked = -math.MaxFloat32

// span says which part of the blocks a head reads.
type span struct {
	width int // of a slot, in words
	at    int // of the head within the slot
	size  int // of the head
	n     int // slots
}

func (a *Attention) span(kv, n int) span {
	return span{width: a.KVHeads * a.Size, at: kv * a.Size, size: a.Size, n: n}
}

// dotPlain sets scores[head][position] to the dot products of the heads' queries with K.
func dotPlain(scores []float32, stride int, q []float32, k [][]uint32, s span, count int) {
	pos := 0
	for _, block := range k {
		for ; len(block) > 0 && pos < s.n; block = block[s.width:] {
			key := block[s.at:][:s.size]
			for i := range count {
				scores[i*stride+pos] = dotOne(q[i*s.size:][:s.size], key)
			}
			pos++
		}
	}
}

func dotOne(q []float32, key []uint32) float32 {
	var sum [lanes]float32
	for l := range lanes {
		sum[l] = float32(q[l] * math.Float32frombits(key[l]))
	}
	for d := lanes; d < len(q); d += lanes {
		x, y := q[d:][:lanes], key[d:][:lanes]
		for l := range lanes {
			sum[l] += float32(x[l] * math.Float32frombits(y[l]))
		}
	}
	return tree(&sum)
}

// softmaxPlain turns scores into exponentials of their distance to the largest, and returns their sum.
func softmaxPlain(scores []float32) float32 {
	top := scores[0]
	for _, x := range scores[1:] {
		top = max(top, x)
	}
	var sum [lanes]float32
	for i := 0; i < len(scores); i += lanes {
		row := scores[i:][:lanes]
		for l, x := range row {
			row[l] = numeric.Exp(x - top)
			sum[l] += row[l]
		}
	}
	return tree(&sum)
}

// mixPlain sets out[head] to the sum of the rows of V, each times its weight, times the inverse.
func mixPlain(out, weights []float32, stride int, inverse []float32, v [][]uint32, s span, count int) {
	clear(out)
	pos := 0
	for _, block := range v {
		for ; len(block) > 0 && pos < s.n; block = block[s.width:] {
			row := block[s.at:][:s.size]
			for i := range count {
				axpy(out[i*s.size:][:s.size], weights[i*stride+pos], row)
			}
			pos++
		}
	}
	for i := range out {
		out[i] = float32(out[i] * inverse[i/s.size])
	}
}

func axpy(y []float32, w float32, x []uint32) {
	x = x[:len(y)]
	for i := range y {
		y[i] += float32(w * math.Float32frombits(x[i]))
	}
}
