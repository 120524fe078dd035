package sim

import (
	"testing"

	"github.com/stretchr/testify/require"

	"custody/invariants"
)

// The clean engine keeps every promise whichever model runs, and all of them look.
func TestTheCleanEngineKeepsEveryPromiseOnTheTransformer(t *testing.T) {
	m, err := NewTransformer()
	require.NoError(t, err)
	var sum Summary
	for seed := uint64(1); seed <= 60; seed++ {
		s, r := Generate(seed, Profiles[0], ExecuteOptions{Model: m})
		require.True(t, r.OK(), "seed %d: %v\n%s", seed, r.Breaches, s)
		sum.Add(r)
	}
	for id := range invariants.NumPromises {
		require.NotZero(t, sum.Checks[id], invariants.Statements[id].Name)
	}
	require.Greater(t, sum.Work.Tokens, int64(500))
}
