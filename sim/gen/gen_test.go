package gen

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"custody/sim"
	"custody/sim/explain"
	"custody/traces"
)

func generate(t *testing.T, seed uint64, p Profile) (*traces.Script, *sim.Result) {
	t.Helper()
	s, r, err := Generate(seed, p, sim.ExecuteOptions{})
	require.NoError(t, err)
	return s, r
}

func execute(t *testing.T, s *traces.Script, watch ...sim.Watcher) *sim.Result {
	t.Helper()
	r, err := sim.Execute(s, sim.ExecuteOptions{Watch: watch})
	require.NoError(t, err)
	return r
}

func TestAScriptThatAGeneratorMadeGivesTheSameStepsWhenItIsExecuted(t *testing.T) {
	seeds := uint64(300)
	if testing.Short() {
		seeds = 60 // a draw that is not written down spoils most seeds, and not one of hundreds
	}
	for _, p := range Profiles {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			for seed := uint64(1); seed <= seeds; seed++ {
				s, made := generate(t, seed, p)
				again := execute(t, s)
				require.Equal(t, made.Digest, again.Digest, "seed %d", seed)
				require.Equal(t, made.Noop, again.Noop)
				parsed, err := traces.Parse("seed.trace", s.String())
				require.NoError(t, err)
				require.Equal(t, made.Digest, execute(t, parsed, &explain.Narrator{}).Digest, "through text, and narrated")
			}
		})
	}
}

func TestAGeneratedScriptHasAtMost200Events(t *testing.T) {
	for _, p := range Profiles {
		for seed := uint64(1); seed <= 100; seed++ {
			s, _ := generate(t, seed, p)
			require.LessOrEqual(t, s.Size(), 200)
		}
	}
}

// Deleting one line of a script must not reshuffle the rest: what remains names the same requests and has the same
// arguments, because nothing is drawn at execution.
func TestDeletingALineDrawsNothingAnew(t *testing.T) {
	s, _ := generate(t, 7, Profiles[0])
	for i := range s.Events {
		c := s.Clone()
		c.Events = append(c.Events[:i], c.Events[i+1:]...)
		before := c.String()
		execute(t, c)
		require.Equal(t, before, c.String())
	}
}

// What a layout field holds only has to differ: the layout that the generator draws is another, and that is all.
func TestTheGeneratorDrawsEveryValueOfEveryChoice(t *testing.T) {
	drawn := map[traces.Key]map[int64]bool{}
	for k := range traces.NumKeys {
		drawn[k] = map[int64]bool{}
	}
	for seed := uint64(1); seed <= 100; seed++ {
		s, _ := generate(t, seed, Profiles[0])
		for k, v := range s.Config {
			drawn[traces.Key(k)][v] = true
		}
	}
	for k := range traces.NumKeys {
		for v, word := range traces.Keys[k].Names {
			assert.True(t, drawn[k][int64(v)] || traces.Keys[k].Layout, "%s=%s is never drawn", traces.Keys[k].Name, word)
		}
	}
}
