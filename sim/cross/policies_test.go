package cross

import (
	"testing"

	"github.com/stretchr/testify/require"

	"custody/sim"
	"custody/sim/gen"
	"custody/traces"
)

func TestNoPolicyChangesWhatAClientSees(t *testing.T) {
	seeds := uint64(40)
	if testing.Short() {
		seeds = 5
	}
	for seed := uint64(1); seed <= seeds; seed++ {
		s := generate(t, seed)
		runs, d := Run(s, nil)
		require.Nil(t, d, "seed %d: %v", seed, d)
		require.Equal(t, 2*2*3*3*3*2*2, runs)
		require.Equal(t, Combinations(), runs)
	}
}

func TestTheCrossStopsWhenAsked(t *testing.T) {
	s := generate(t, 1)
	runs, d := Run(s, func(runs int) bool { return runs < 5 })
	require.Nil(t, d)
	require.Equal(t, 5, runs)
}

// generate draws the script of a seed of the default profile.
func generate(t *testing.T, seed uint64) *traces.Script {
	t.Helper()
	s, _, err := gen.Generate(seed, gen.Profiles[0], sim.ExecuteOptions{})
	require.NoError(t, err)
	return s
}
