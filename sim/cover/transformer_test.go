package cover

import (
	"testing"

	"github.com/stretchr/testify/require"

	"custody/invariants"
	"custody/sim"
	"custody/sim/gen"
)

// The clean engine keeps every promise whichever model runs, and all of them look.
func TestTheCleanEngineKeepsEveryPromiseOnTheTransformer(t *testing.T) {
	m, err := sim.NewTransformer()
	require.NoError(t, err)
	var sum Summary
	for seed := uint64(1); seed <= 60; seed++ {
		seen := &Recorder{}
		s, r, err := gen.Generate(seed, gen.Profiles[0], sim.ExecuteOptions{Model: m, Watch: []sim.Watcher{seen}})
		require.NoError(t, err)
		require.True(t, r.OK(), "seed %d: %v\n%s", seed, r.Breaches, s)
		sum.Add(r, seen.Coverage())
	}
	for id := range invariants.NumPromises {
		require.NotZero(t, sum.Checks[id], invariants.Statements[id].Name)
	}
	require.Greater(t, sum.Work.Tokens, int64(500))
}
