package train

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheRateRisesInALineAndFallsAlongACosine(t *testing.T) {
	r := Recipe{Steps: 300, Rate: 1, Warmup: 100}
	for step, want := range map[int]float64{
		0: 0.01, 49: 0.5, 99: 1, 100: 1,
		200: 0.02 + 0.98/2,           // half way: cos is 0
		250: 0.02 + 0.98*0.146446609, // three quarters: (1 - 1/sqrt 2)/2
		300: 0.02,
	} {
		require.InDelta(t, want, r.rate(step), 1e-6, "step %d", step)
	}
}

// In the first step the corrected means are the gradient and its square: whatever its size, the move is one rate.
func TestTheFirstStepOfAdamMovesByTheRate(t *testing.T) {
	weights, grad := []float32{1, 1, 1, 1}, []float32{0.5, -20, 1e-3, 0}
	a := newAdam(4)
	a.advance()
	a.update(tensor{"w", 2, 2, 0}, weights, grad, 0.1)
	const shrunk = 0.1 * 0.05 // rate times decay times the weight, 1
	for i, want := range []float64{0.9 - shrunk, 1.1 - shrunk, 0.9 - shrunk, 1 - shrunk} {
		require.InDelta(t, want, weights[i], 1e-5)
	}
	require.InDelta(t, 0.05, a.mean[0], 1e-7)
	require.InDelta(t, 0.005, a.square[0], 1e-7)
}

// The second gradient is the negative of the first: the mean is 0.9 x 0.1 - 0.1 = -0.01, divided by 1 - 0.81; the square
// stays 1. Gains do not shrink.
func TestAdamRemembersAndGainsDoNotShrink(t *testing.T) {
	weights := []float32{1}
	a := newAdam(1)
	for _, g := range []float32{1, -1} {
		a.advance()
		a.update(tensor{"gain", 1, 1, 0}, weights, []float32{g}, 0.1)
	}
	require.InDelta(t, 1-0.1+0.1*0.01/0.19, weights[0], 1e-6)
}

func TestGradientsAreClippedTogether(t *testing.T) {
	grad := []float32{3, 0, -4}
	require.InDelta(t, 5, clip(grad), 1e-6)
	require.InDeltaSlice(t, []float32{0.6, 0, -0.8}, grad, 1e-6)
	short := []float32{0.3, -0.4}
	require.InDelta(t, 0.5, clip(short), 1e-6)
	require.Equal(t, []float32{0.3, -0.4}, short)
}

func TestRecipesThatCannotBeFollowedAreRefused(t *testing.T) {
	for says, spoil := range map[string]func(r *Recipe){
		"Steps is 0, expected 1 to":                    func(r *Recipe) { r.Steps = 0 },
		"Warmup is 6000, expected 0 to 5999":           func(r *Recipe) { r.Warmup = 6000 },
		"Curriculum is 0, expected at least 1":         func(r *Recipe) { r.Curriculum = 0 },
		"Rate is 1, expected a number between 0 and 1": func(r *Recipe) { r.Rate = 1 },
	} {
		r := Accepted
		require.NoError(t, r.Validate())
		spoil(&r)
		require.ErrorContains(t, r.Validate(), says)
	}
}
