package sim

import (
	"testing"

	"github.com/stretchr/testify/require"

	"custody/traces"
)

// Whatever was looked at before, a step looks the same: walking forwards, walking backwards, and jumping.
func TestAStepLooksTheSameFromBothSides(t *testing.T) {
	for seed := uint64(1); seed <= 60; seed++ {
		s, run := Generate(seed, Profiles[0], ExecuteOptions{})
		r := Record(s)
		require.Equal(t, run.Digest, r.Result.Digest, "seed %d: recording changes the run", seed)
		require.Equal(t, run.Work.Steps, r.Last)
		var forward []*Frame
		for n := range r.Last + 1 {
			f, err := r.At(n)
			require.NoError(t, err)
			require.Equal(t, n, f.Step)
			forward = append(forward, f)
		}
		require.Equal(t, run.Digest, r.walker.digest, "seed %d: the walker at the end", seed)
		for n := r.Last; n >= 0; n -= 1 + n%3 {
			f, err := r.At(n)
			require.NoError(t, err)
			require.Equal(t, forward[n], f, "seed %d, step %d", seed, n)
		}
	}
}

func parsed(t *testing.T, text string) *traces.Script {
	t.Helper()
	s, err := traces.Parse("test", text)
	require.NoError(t, err)
	return s
}
