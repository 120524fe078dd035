package kernel

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// Numbers here were computed by hand.

func TestAMatrixIsMultipliedFromTheLeft(t *testing.T) {
	m := NewMatrix(2, 3)
	m.Pack(0, []float32{1, 2, 3, 4}) // outputs 0 and 1
	m.Pack(2, []float32{-5, 6})      // output 2
	y := make([]float32, 32)
	m.Mul(y, 16, []float32{1, 10, 100, 1000}, 2, 2)
	require.Equal(t, []float32{21, 43, 55}, y[:3])
	require.Equal(t, []float32{2100, 4300, 5500}, y[16:19])
	require.Equal(t, make([]float32, 13), y[3:16], "the padding is 0")
}

// 2^24 + 1 is no float32: ascending, each 1 is lost; in any other order they would add up.
func TestAProductAddsItsInputsInAscendingOrder(t *testing.T) {
	m := NewMatrix(4, 1)
	m.Pack(0, []float32{1 << 24, 1, 1, -1 << 24})
	y := make([]float32, 16)
	m.Mul(y, 16, []float32{1, 1, 1, 1}, 4, 1)
	require.Zero(t, y[0])
}

// (1+2^-12)² is 1 + 2^-11 + 2^-24: rounded, the last term is gone. Fused with the sum it would be left over.
func TestAProductIsRoundedBeforeItIsAdded(t *testing.T) {
	x := float32(1 + 0x1p-12)
	m := NewMatrix(2, 1)
	m.Pack(0, []float32{-1 - 0x1p-11, x})
	y := make([]float32, 16)
	m.Mul(y, 16, []float32{1, x}, 2, 1)
	require.Zero(t, y[0])
}

func TestASumAlongAVectorHasEightLanesAndATree(t *testing.T) {
	require.Equal(t, float32(36), tree(&[8]float32{1, 2, 3, 4, 5, 6, 7, 8}))
	// Lane by lane from the left the ones would be lost; in pairs, 1+1 survives beside 2^24.
	require.Equal(t, float32(1<<24+2), tree(&[8]float32{1 << 24, 0, 1, 1}))
}

// The squares of 3,4,0... have the mean 25/8; with eps 0 the root is 5/sqrt(8).
func TestNormDividesByTheRootOfTheMeanSquare(t *testing.T) {
	y := make([]float32, 8)
	Norm(y, []float32{3, 4, 0, 0, 0, 0, 0, 0}, []float32{1, 2, 1, 1, 1, 1, 1, 1}, 0)
	require.InDelta(t, 0.6*math.Sqrt(8), y[0], 1e-6)
	require.InDelta(t, 2*0.8*math.Sqrt(8), y[1], 1e-6)
	// 8 squares of 1 have the mean 1; eps 3 makes it 4.
	ones := []float32{1, 1, 1, 1, 1, 1, 1, 1}
	Norm(y, ones, ones, 3)
	require.Equal(t, []float32{.5, .5, .5, .5, .5, .5, .5, .5}, y)
}

// silu(0) is 0, silu(ln 3) is ln 3 · 3/4; far out it is x, or 0.
func TestGateIsTheSiluTimesTheOther(t *testing.T) {
	y := make([]float32, 8)
	g := []float32{0, float32(math.Log(3)), -float32(math.Log(3)), 100, -100, 0, 0, 0}
	Gate(y, g, []float32{5, 2, 4, 3, 1, 1, 1, 1})
	ln3 := math.Log(3)
	for i, want := range []float64{0, 1.5 * ln3, -ln3, 300, 0, 0, 0, 0} {
		require.InDelta(t, want, y[i], 1e-6)
	}
}

// A quarter turn takes (1,2) to (-2,1); no turn leaves a pair; the scale multiplies both.
func TestRotateTurnsPairs(t *testing.T) {
	cos := []float32{0, 0, 1, 1, 1, 1, 1, 1}
	sin := []float32{1, 1, 0, 0, 0, 0, 0, 0}
	x := []float32{1, 2, 3, 4, 5, 6, 7, 8, 10, 20, 30, 40, 50, 60, 70, 80}
	Rotate(x, cos, sin, 0.5)
	require.Equal(t, []float32{-1, .5, 1.5, 2, 2.5, 3, 3.5, 4, -10, 5, 15, 20, 25, 30, 35, 40}, x)
}

func bits(x ...float32) []uint32 {
	words := make([]uint32, len(x))
	for i := range x {
		words[i] = math.Float32bits(x[i])
	}
	return words
}

// Two query heads, one KV head, blocks of two slots, the last one half used. The first head's scores are 0, ln 2, 0 and
// so its weights 1/4, 1/2, 1/4; the second's are all 0.
func TestAttentionMixesVByTheSoftmaxOfTheScores(t *testing.T) {
	ln2 := float32(math.Ln2)
	wrong := float32(1e9) // behind the last position
	k := [][]uint32{
		bits(0, 0, 0, 0, 0, 0, 0, 0, ln2, 0, 0, 0, 0, 0, 0, 0),
		bits(0, 0, 0, 0, 0, 0, 0, 0, wrong, 0, 0, 0, 0, 0, 0, 0),
	}
	v := [][]uint32{
		bits(4, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 1),
		bits(12, 0, 0, 0, 0, 0, 0, 0, wrong, 0, 0, 0, 0, 0, 0, 0),
	}
	a := NewAttention(2, 1, 8)
	a.Reserve(3)
	q, out := make([]float32, 16), make([]float32, 16)
	q[0] = 1
	a.Query(out, q, k, v, 3)
	require.InDelta(t, 8, out[0], 1e-5)
	require.InDelta(t, 0.5, out[7], 1e-6)
	require.InDelta(t, 8, out[8], 1e-5)
	require.InDelta(t, 1./3, out[15], 1e-6)
	for i, want := range []float64{0.25, 0.5, 0.25} {
		require.InDelta(t, want, a.Weights(nil, 0, 3)[i], 1e-6)
		require.InDelta(t, 1./3, a.Weights(nil, 1, 3)[i], 1e-6)
	}
}

// Four query heads over two KV heads: heads 0 and 1 read the first, 2 and 3 the second.
func TestQueryHeadsShareTheirKVHead(t *testing.T) {
	a := NewAttention(4, 2, 8)
	a.Reserve(1)
	v := make([]uint32, 16)
	copy(v, bits(1))
	copy(v[8:], bits(2))
	out := make([]float32, 32)
	a.Query(out, make([]float32, 32), [][]uint32{make([]uint32, 16)}, [][]uint32{v}, 1)
	require.Equal(t, []float32{1, 1, 2, 2}, []float32{out[0], out[8], out[16], out[24]})
}

// All scores are 0, so a query that sees n positions finds the mean of their values 1, 2, 3, ...: (n+1)/2. Nine queries
// of two heads are a whole tile and one more.
func TestEachOfManyQueriesSeesOnePositionMoreThanTheOneBeforeIt(t *testing.T) {
	const n, count = 3, 9
	a := NewAttention(2, 1, 8)
	a.Reserve(n + count - 1)
	var v [][]uint32
	for i := range n + count - 1 {
		v = append(v, bits(float32(i+1), 0, 0, 0, 0, 0, 0, 2))
	}
	k := make([][]uint32, len(v))
	for i := range k {
		k[i] = make([]uint32, 8)
	}
	out := make([]float32, count*16)
	a.Queries(out, make([]float32, count*16), 16, count, k, v, n)
	for i := range count {
		for head := range 2 {
			got := out[i*16+head*8:][:8]
			require.InDelta(t, float32(n+i+1)/2, got[0], 1e-5, "query %d, head %d", i, head)
			require.InDelta(t, 2, got[7], 1e-5)
		}
	}
}

// What fills a vector up behind the positions is not above any score, however low.
func TestTheOnlyPositionHasAllTheWeight(t *testing.T) {
	a := NewAttention(1, 1, 8)
	a.Reserve(1)
	q, out := []float32{1, 0, 0, 0, 0, 0, 0, 0}, make([]float32, 8)
	a.Query(out, q, [][]uint32{bits(-1e31, 0, 0, 0, 0, 0, 0, 0)}, [][]uint32{bits(5, 0, 0, 0, 0, 0, 0, 0)}, 1)
	require.Equal(t, float32(5), out[0])
}

// The assembly does not look at lengths, so Query and Queries do.
func TestAttentionBeyondItsBlocksOrItsRoomIsRefused(t *testing.T) {
	a := NewAttention(1, 1, 8)
	a.Reserve(64)
	block := make([]uint32, 8*33)
	x, many := make([]float32, 8), make([]float32, 16*8)
	a.Query(x, x, [][]uint32{block, block}, [][]uint32{block, block}, 64)
	for _, c := range []struct {
		k, v [][]uint32
		n    int
	}{
		{[][]uint32{block, block}, [][]uint32{block, block}, 65}, // no room
		{[][]uint32{block}, [][]uint32{block, block}, 34},
		{[][]uint32{block, block}, [][]uint32{block}, 34},
		{nil, nil, 1},
	} {
		require.Panics(t, func() { a.Query(x, x, c.k, c.v, c.n) })
		require.Panics(t, func() { a.Queries(many, many, 8, 16, c.k, c.v, c.n-15) })
	}
}
