package leak

import (
	"testing"

	"github.com/stretchr/testify/require"

	"custody/model/llama"
	"custody/model/recall"
	"custody/model/train/corpus"
)

func transformer(t *testing.T) *llama.Transformer {
	t.Helper()
	w, err := recall.Weights()
	require.NoError(t, err)
	tr, err := llama.New(w)
	require.NoError(t, err)
	return tr
}

// The incident: B's prefix is taken for computed and A's KV is read. docs/training.md has the whole table.
func TestTheIncidentPrintsTheOtherTenantsMarker(t *testing.T) {
	tr := transformer(t)
	for _, block := range []int32{4, 8, 16} {
		n := Measure(tr, Cell{Style: corpus.First, Fault: SkipAll, BlockTokens: block}, 60, 1)
		require.GreaterOrEqual(t, n.Shown, 54, "%+v", n)
		require.GreaterOrEqual(t, 100*n.Both, 96*n.Covered, "%+v", n)
		require.Equal(t, 60, n.Right, "%+v", n)
	}
	n := Measure(tr, Cell{Style: corpus.Signed, Fact: true, Fault: SkipAll, BlockTokens: 16}, 60, 1)
	require.GreaterOrEqual(t, n.Shown, 42, "%+v", n)
}

// A block that is not B's is seen in the numbers, always, though seldom in the text.
func TestOneStaleBlockChangesTheNumbersButSeldomTheText(t *testing.T) {
	n := Measure(transformer(t), Cell{Style: corpus.Anywhere, Fault: SwapOne, BlockTokens: 8}, 100, 2)
	require.Greater(t, n.Foreign, 50)
	require.Equal(t, n.Foreign, n.Logits, "%+v", n)
	require.Less(t, n.Changed, 40, "%+v", n)
	require.Less(t, n.Shown, 10, "%+v", n)
}

// Where both tenants wrote the same, A's blocks are B's: nothing leaks, and nothing changes.
func TestBlocksOfTheSameTextChangeNothing(t *testing.T) {
	b := newBench(transformer(t), Cell{Fault: SkipAll, BlockTokens: 4}, 3)
	one := corpus.Case{
		Text: "Use the notes.\nThe code is VELVET.\n", Question: "Q: What is the code?\nA:",
		Answer: " The code is VELVET.\n", Marker: "VELVET",
	}
	var n Count
	b.trial(one, one, &n)
	require.Equal(t, Count{Trials: 1, Right: 1, Covered: 1, Shown: 1, Both: 1}, n)
}
