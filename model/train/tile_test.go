package train

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// 2 x 3 times 3 x 2, in the corner of what the kernel computes.
func TestMultiplyByHand(t *testing.T) {
	a, b, c := newMatrix(4, 3), newMatrix(3, 16), newMatrix(4, 16)
	copy(a.x, []float32{1, 2, 3, 4, 5, 6})
	copy(b.row(0), []float32{7, 8})
	copy(b.row(1), []float32{9, 10})
	copy(b.row(2), []float32{11, 12})
	multiply(c.view(), a.view(), b.view(), 4, 16, 3, false)
	require.Equal(t, []float32{58, 64, 0}, c.row(0)[:3])
	require.Equal(t, []float32{139, 154, 0}, c.row(1)[:3])
	multiply(c.view(), a.view(), b.view(), 4, 16, 3, true)
	require.Equal(t, []float32{116, 128, 0}, c.row(0)[:3])

	flipped := newMatrix(3, 4) // aᵀ
	transpose(flipped.view(), a.view(), 4, 3)
	multiply(c.view(), flipped.view().flipped(), b.view(), 4, 16, 3, false)
	require.Equal(t, []float32{139, 154, 0}, c.row(1)[:3])
}

// The kernel in use and the plain one, to the last bit; where there is no assembly they are the same.
func TestTheKernelHasTheBitsOfThePlainLoop(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	random := func(rows, cols int) matrix {
		m := newMatrix(rows, cols)
		for i := range m.x {
			m.x[i] = float32(rng.NormFloat64())
		}
		return m
	}
	for k := range 70 {
		a, b, c := random(4, k+3), random(k+1, 32), random(4, 48)
		down := random(k+1, 7)
		for _, keep := range []bool{false, true} {
			for _, from := range []view{a.view(), down.view().flipped()} {
				want := append([]float32{}, c.x...)
				tilePlain(view{want, 48, 1}.at(0, 16), from, b.view().at(0, 8), k+1, keep)
				got := append([]float32{}, c.x...)
				tile(view{got, 48, 1}.at(0, 16), from, b.view().at(0, 8), k+1, keep)
				require.Equal(t, want, got, "k %d, keep %v", k+1, keep)
				require.NotEqual(t, c.x, got)
			}
		}
	}
}
