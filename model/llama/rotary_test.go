package llama

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// Heads of 8 with the base 10000 have the speeds 1, 1/10, 1/100 and 1/1000.
func TestRotaryAnglesAreThePositionTimesThePairsSpeed(t *testing.T) {
	r := newRotary(Arch{HeadDim: 8, RopeBase: 10000})
	r.reserve(2000)
	for _, pos := range []int32{0, 1, 7, 1999} {
		cos, sin := r.at(pos)
		for i, speed := range []float64{1, 1, .1, .1, .01, .01, .001, .001} {
			require.InDelta(t, math.Cos(float64(pos)*speed), cos[i], 1e-7, "position %d, number %d", pos, i)
			require.InDelta(t, math.Sin(float64(pos)*speed), sin[i], 1e-7, "position %d, number %d", pos, i)
		}
	}
}
