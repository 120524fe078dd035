package witness_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"custody/sim"
	"custody/sim/gen"
	"custody/sim/local"
)

// What plans, results and outputs show is enough: an engine that keeps its promises is blamed for nothing, and nothing else
// about a run changes.
func TestAnEngineWithoutFactsIsNotBlamed(t *testing.T) {
	seeds := uint64(2000)
	if testing.Short() {
		seeds = 100
	}
	for _, p := range gen.Profiles {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			for seed := uint64(1); seed <= seeds; seed++ {
				s, told, err := gen.Generate(seed, p, sim.ExecuteOptions{})
				require.NoError(t, err)
				r, err := sim.Execute(s, sim.ExecuteOptions{Engine: local.NewSilent})
				require.NoError(t, err)
				if !r.OK() {
					t.Fatalf("seed %d: %s: %s\n%s", seed, r.PromiseName(&r.Breaches[0]), r.Message(0), s)
				}
				require.Equal(t, told.Digest, r.Digest)
			}
		})
	}
}

// The witness goes along when a world is cloned: what it knows decides what it says.
func TestAWitnessIsClonedWithItsEngine(t *testing.T) {
	o := sim.ExecuteOptions{Engine: local.NewSilent}
	for seed := uint64(1); seed <= 50; seed++ {
		s, whole, err := gen.Generate(seed, gen.Profiles[0], o)
		require.NoError(t, err)
		original, err := sim.NewWorld(s, o)
		require.NoError(t, err)
		clone, err := sim.NewWorld(s, o)
		require.NoError(t, err)
		for range whole.Work.Steps / 2 {
			original.Next()
		}
		require.True(t, original.CloneInto(clone))
		for _, w := range []*sim.World{clone, original} {
			r := w.Run()
			require.True(t, r.OK(), seed)
			require.Equal(t, whole.Checks, r.Checks, seed)
		}
	}
}
