package kernel

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// What runs on this processor gives the bits of the plain kernels, whatever the sizes. Where there is no assembly the
// two are one.

func floats(rng *rand.Rand, n int, size float32) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = (rng.Float32() - rng.Float32()) * size
	}
	return x
}

func draw(t *rapid.T) *rand.Rand { return rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0)) }

func TestProductsHaveTheBitsOfThePlainOnes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in, out, rows := rapid.IntRange(1, 70).Draw(t, "in"), rapid.IntRange(1, 200).Draw(t, "out"),
			rapid.IntRange(1, 29).Draw(t, "rows")
		xStride, rng := in+rapid.IntRange(0, 5).Draw(t, "gap"), draw(t)
		m, x := NewMatrix(in, out), floats(rng, rows*xStride, 1)
		m.Pack(0, floats(rng, in*out, 1))
		yStride := m.Stride() + rapid.IntRange(0, 5).Draw(t, "room")
		want, got := floats(rng, rows*yStride, 1), make([]float32, rows*yStride)
		copy(got, want) // what lies between the rows stays
		mulPlain(want, yStride, x, xStride, m.words, in, m.Stride()/panel, rows)
		m.Mul(got, yStride, x, xStride, rows)
		require.Equal(t, bits(want...), bits(got...))
	})
}

func TestVectorsHaveTheBitsOfThePlainOnes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, rng := 8*rapid.IntRange(1, 20).Draw(t, "eights"), draw(t)
		x, w := floats(rng, n, rapid.SampledFrom([]float32{0, 1e-20, 1, 50, 1e4}).Draw(t, "size")), floats(rng, n, 2)
		want, got := make([]float32, n), make([]float32, n)
		normPlain(want, x, w, 1e-5)
		Norm(got, x, w, 1e-5)
		require.Equal(t, bits(want...), bits(got...))
		gatePlain(want, x, w)
		Gate(got, x, w)
		require.Equal(t, bits(want...), bits(got...))
		heads, scale := rapid.IntRange(1, 3).Draw(t, "heads"), float32(0.3)
		want = floats(rng, heads*n, 1)
		got = append(got[:0], want...)
		rotatePlain(want, x, w, scale)
		Rotate(got, x, w, scale)
		require.Equal(t, bits(want...), bits(got...))
	})
}

// Scores reach from one at the top to ones whose exponential is 0.
func TestSoftmaxHasTheBitsOfThePlainOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, rng := 8*rapid.IntRange(1, 40).Draw(t, "eights"), draw(t)
		want := floats(rng, n, rapid.SampledFrom([]float32{0, 1, 100, 1e30}).Draw(t, "size"))
		got := append([]float32(nil), want...)
		sum := softmaxPlain(want)
		require.Equal(t, math.Float32bits(sum), math.Float32bits(softmax(got)))
		require.Equal(t, bits(want...), bits(got...))
	})
}

func TestAttentionHasTheBitsOfThePlainOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kvHeads, group := rapid.IntRange(1, 3).Draw(t, "kv heads"), rapid.SampledFrom([]int{1, 2, 3, 4, 5, 8, 17}).Draw(t, "group")
		size, slots := 8*rapid.IntRange(1, 9).Draw(t, "eights"), rapid.IntRange(1, 17).Draw(t, "block")
		n, count := rapid.IntRange(1, 70).Draw(t, "positions"), rapid.IntRange(1, 40).Draw(t, "queries")
		a, rng, end := NewAttention(kvHeads*group, kvHeads, size), draw(t), n+count-1
		a.Reserve(end)
		var k, v [][]uint32
		for at := 0; at < end; at += slots { // the last block ends with the positions, or with the block
			held := slots
			if rapid.Bool().Draw(t, "short") {
				held = min(slots, end-at)
			}
			k = append(k, bits(floats(rng, held*kvHeads*size, 1)...))
			v = append(v, bits(floats(rng, held*kvHeads*size, 1)...))
		}
		wide := a.Heads * size
		stride := wide + rapid.IntRange(0, 5).Draw(t, "gap")
		q, want := floats(rng, count*stride, rapid.SampledFrom([]float32{1, 1e3, 1e30}).Draw(t, "size")), floats(rng, count*stride, 1)
		got := append([]float32(nil), want...) // what lies between the rows stays
		a.Queries(got, q, stride, count, k, v, n)
		for i := range count {
			plainQuery(a, want[i*stride:][:wide], q[i*stride:], k, v, n+i)
		}
		require.Equal(t, bits(want...), bits(got...))
	})
}

// plainQuery is Query, head by head, by the plain kernels.
func plainQuery(a *Attention, out, q []float32, k, v [][]uint32, n int) {
	for h := range a.Heads {
		s := span{width: a.KVHeads * a.Size, at: h * a.KVHeads / a.Heads * a.Size, size: a.Size, n: n}
		scores := make([]float32, roundUp(n, lanes))
		dotPlain(scores, 0, q[h*a.Size:][:a.Size], k, s, 1)
		for i := n; i < len(scores); i++ {
			scores[i] = masked
		}
		inverse := []float32{1 / softmaxPlain(scores)}
		mixPlain(out[h*a.Size:][:a.Size], scores, 0, inverse, v, s, 1)
	}
}
