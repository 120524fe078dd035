package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"custody/sim"
	"custody/sim/cover"
	"custody/sim/gen"
	"custody/traces"
)

// generate draws the script of a seed of the default profile, with what its run has exercised.
func generate(t testing.TB, seed uint64) (*traces.Script, *sim.Result, *cover.Coverage) {
	t.Helper()
	seen := &cover.Recorder{}
	s, r, err := gen.Generate(seed, gen.Profiles[0], sim.ExecuteOptions{Watch: []sim.Watcher{seen}})
	require.NoError(t, err)
	return s, r, seen.Coverage()
}

func newWorld(t testing.TB, s *traces.Script, o sim.ExecuteOptions) *sim.World {
	t.Helper()
	w, err := sim.NewWorld(s, o)
	require.NoError(t, err)
	return w
}

// A world that is cloned in the middle of a script goes on as the original does, and the original as if nothing had been
// cloned: same digest, same checks.
func TestAClonedWorldGoesOnAsTheOriginal(t *testing.T) {
	for seed := uint64(1); seed <= 200; seed++ {
		s, whole, _ := generate(t, seed)
		original, clone := newWorld(t, s, sim.ExecuteOptions{}), newWorld(t, s, sim.ExecuteOptions{})
		for range whole.Work.Steps / 2 {
			original.Next()
		}
		require.True(t, original.CloneInto(clone))
		for name, r := range map[string]*sim.Result{"the clone": clone.Run(), "the original": original.Run()} {
			require.Equal(t, whole.Digest, r.Digest, "seed %d: %s", seed, name)
			require.Empty(t, r.Breaches)
			require.Equal(t, whole.Checks, r.Checks)
			require.Equal(t, whole.Noop, r.Noop)
			require.Equal(t, whole.Work, r.Work)
		}
	}
}

func TestAResetWorldGivesTheSameRunAgain(t *testing.T) {
	for seed := uint64(1); seed <= 200; seed++ {
		s, whole, exercised := generate(t, seed)
		seen := &cover.Recorder{}
		w := newWorld(t, s, sim.ExecuteOptions{Watch: []sim.Watcher{seen}})
		require.Equal(t, whole.Digest, w.Run().Digest)
		w.Reset()
		again := w.Run()
		require.Equal(t, whole.Digest, again.Digest, "seed %d", seed)
		require.Equal(t, whole.Checks, again.Checks)
		require.Equal(t, exercised, seen.Coverage())
	}
}
