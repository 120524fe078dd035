package llama

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/cache"
)

// shares draws many tokens, one a position, and returns how often each came.
func shares(logits []float32, how cache.Sampling) []float64 {
	var s sampler
	const n = 20000
	got := make([]float64, len(logits))
	for pos := range int32(n) {
		got[s.next(logits, how, pos)] += 1. / n
	}
	return got
}

// The logits are those of the probabilities 1/2, 1/4, 1/8 and twice 1/16.
func TestSamplingDrawsByTemperatureTopKAndTopP(t *testing.T) {
	ln2 := float32(math.Ln2)
	logits := []float32{-4 * ln2, -ln2, -2 * ln2, -3 * ln2, -4 * ln2}
	for name, c := range map[string]struct {
		how  cache.Sampling
		want []float64
	}{
		"likeliest":                    {cache.Sampling{}, []float64{0, 1, 0, 0, 0}},
		"as they are":                  {cache.Sampling{Temp: 1}, []float64{1. / 16, 1. / 2, 1. / 4, 1. / 8, 1. / 16}},
		"half the temperature":         {cache.Sampling{Temp: .5}, []float64{1. / 86, 64. / 86, 16. / 86, 4. / 86, 1. / 86}},
		"the best two":                 {cache.Sampling{Temp: 1, TopK: 2}, []float64{0, 2. / 3, 1. / 3, 0, 0}},
		"of equals the first":          {cache.Sampling{Temp: 1, TopK: 4}, []float64{1. / 15, 8. / 15, 4. / 15, 2. / 15, 0}},
		"at least seven tenths":        {cache.Sampling{Temp: 1, TopP: .7}, []float64{0, 2. / 3, 1. / 3, 0, 0}},
		"seven tenths of the best two": {cache.Sampling{Temp: 1, TopK: 2, TopP: .6}, []float64{0, 1, 0, 0, 0}},
		"more than there are": {cache.Sampling{Temp: 1, TopK: 9, TopP: 1},
			[]float64{1. / 16, 1. / 2, 1. / 4, 1. / 8, 1. / 16}},
	} {
		t.Run(name, func(t *testing.T) {
			got := shares(logits, c.how)
			for i := range got {
				require.InDelta(t, c.want[i], got[i], 0.015, "token %d", i) // four standard deviations of 20,000 draws
				require.Equal(t, c.want[i] == 0, got[i] == 0, "token %d", i)
			}
		})
	}
}

func TestOfTwoLikeliestTheFirstIsTaken(t *testing.T) {
	require.Equal(t, cache.Token(1), likeliest([]float32{-1, 3, 2, 3}))
}

// What is drawn at a position depends on the seed and the position alone.
func TestADrawIsKeyedBySeedAndPosition(t *testing.T) {
	logits := make([]float32, 1000)
	var fresh, used sampler
	how := cache.Sampling{Seed: 7, Temp: 1}
	want := fresh.next(logits, how, 12)
	used.next(logits, cache.Sampling{Seed: 1, Temp: 2, TopK: 3}, 4)
	require.Equal(t, want, used.next(logits, how, 12))
	require.NotEqual(t, want, fresh.next(logits, how, 13))
	require.NotEqual(t, want, fresh.next(logits, cache.Sampling{Seed: 8, Temp: 1}, 12))
}
