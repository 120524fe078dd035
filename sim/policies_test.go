package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"custody/sim"
)

func TestNoPolicyChangesWhatAClientSees(t *testing.T) {
	seeds := uint64(40)
	if testing.Short() {
		seeds = 5
	}
	for seed := uint64(1); seed <= seeds; seed++ {
		s, _, _ := generate(t, seed)
		runs, d := sim.Cross(s, nil)
		require.Nil(t, d, "seed %d: %v", seed, d)
		require.Equal(t, 2*2*3*3*3*2*2, runs)
		require.Equal(t, sim.Combinations(), runs)
	}
}

func TestTheCrossStopsWhenAsked(t *testing.T) {
	s, _, _ := generate(t, 1)
	runs, d := sim.Cross(s, func(runs int) bool { return runs < 5 })
	require.Nil(t, d)
	require.Equal(t, 5, runs)
}
