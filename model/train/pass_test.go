package train

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/cache"
	"custody/model"
	"custody/model/llama"
)

// fresh is a pass over new weights of the shape that is shipped.
func fresh(most int) (*plan, *pass) {
	p := newPlan(llama.Small())
	one := newPass(p, most)
	one.flat = initial(p, rand.New(rand.NewPCG(3, 3)))
	one.turned = make([]float32, p.size)
	p.transposed(one.turned, one.flat)
	return p, one
}

func text(n int) []cache.Token {
	rng := rand.New(rand.NewPCG(4, 4))
	var tokens []cache.Token
	for range n {
		tokens = append(tokens, cache.Token(32+rng.IntN(90)))
	}
	return tokens
}

func upTo(n int) []int {
	var all []int
	for i := range n {
		all = append(all, i)
	}
	return all
}

// What is trained is what the simulator runs.
func TestThePassComputesTheLogitsOfTheTransformer(t *testing.T) {
	p, one := fresh(64)
	tokens := text(53)
	got := one.forward(tokens, upTo(53))
	transformer, err := llama.New(p.weights(one.flat))
	require.NoError(t, err)
	b := model.Batch{Rows: []model.Row{{Used: cache.Used{N: 53, Input: tokens, Table: []cache.BlockID{0}}}}}
	seen := 0
	transformer.Logits(&b, cache.NewMemory(p.Layout(1, 64)), func(_ int, pos int32, logits []float32) {
		require.InDeltaSlice(t, logits, got.row(int(pos)), 1e-4)
		seen++
	})
	require.Equal(t, 53, seen)
}

func TestLogitsDependOnlyOnWhatStandsBefore(t *testing.T) {
	_, one := fresh(64)
	tokens := text(40)
	before := append([]float32{}, one.forward(tokens, []int{20}).row(0)...)
	tokens[21]++
	require.Equal(t, before, one.forward(tokens, []int{20}).row(0))
	require.Equal(t, before, one.forward(tokens[:21], upTo(21)).row(20), "and not on what else is asked for")
	tokens[20]++
	require.NotEqual(t, before, one.forward(tokens, []int{20}).row(0))
}

// On the average over positions; the rest of the first weights is random and looks anywhere.
func TestSeededHeadsLookBackOneToFourCharacters(t *testing.T) {
	_, one := fresh(128)
	one.forward(text(128), upTo(128))
	a := one.layers[0].attention
	for h := range a.heads {
		byDistance := make([]float32, 16)
		for at := len(byDistance); at < 128; at++ {
			for d := range byDistance {
				byDistance[d] += a.weights[h][at*a.k.rows+at-d]
			}
		}
		require.Equal(t, h+1, argmax(byDistance), "head %d: %v", h, byDistance)
	}
}
