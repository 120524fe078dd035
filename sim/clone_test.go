package sim

import (
	"testing"

	"github.com/stretchr/testify/require"

	"custody/invariants"
	"custody/traces"
)

// A world that is cloned in the middle of a script goes on as the original does, and the original as if nothing had been
// cloned: same digest, same checks.
func TestAClonedWorldGoesOnAsTheOriginal(t *testing.T) {
	for seed := uint64(1); seed <= 200; seed++ {
		s, whole := Generate(seed, Profiles[0], ExecuteOptions{})
		setup := newSetup(s, nil)
		original, clone := newWorld(setup, worldOptions{}), newWorld(setup, worldOptions{})
		half := len(s.Events) / 2
		original.performAll(s, 0, half)
		original.cloneInto(clone)
		clone.performAll(s, half, len(s.Events))
		require.Equal(t, whole.Digest, clone.digest, "seed %d: the clone", seed)
		original.performAll(s, half, len(s.Events))
		require.Equal(t, whole.Digest, original.digest, "seed %d: the original", seed)
		require.Empty(t, clone.ledger.Breaches())
		require.Equal(t, whole.Checks[:], checksOf(original))
		require.Equal(t, whole.Checks[:], checksOf(clone))
	}
}

func TestAResetWorldGivesTheSameRunAgain(t *testing.T) {
	for seed := uint64(1); seed <= 200; seed++ {
		s, whole := Generate(seed, Profiles[0], ExecuteOptions{})
		w := newWorld(newSetup(s, nil), worldOptions{})
		require.Equal(t, whole.Digest, w.run(s).Digest)
		w.reset()
		again := w.run(s)
		require.Equal(t, whole.Digest, again.Digest, "seed %d", seed)
		require.Equal(t, whole.Checks, again.Checks)
		require.Equal(t, whole.Coverage, again.Coverage)
	}
}

func (w *world) performAll(s *traces.Script, from, to int) {
	for i := from; i < to; i++ {
		w.perform(&s.Events[i], i)
	}
}

func checksOf(w *world) []int64 {
	var n []int64
	for id := range invariants.NumPromises {
		n = append(n, w.ledger.Checks(id))
	}
	return n
}
