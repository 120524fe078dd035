package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"custody/cache"
	"custody/invariants"
	"custody/scheduler/protocol"
	"custody/sim"
	"custody/sim/cover"
	"custody/sim/engine"
	"custody/sim/gen"
	"custody/sim/local"
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

// Every field of a world is copied and returned, or listed with the reason why not: at every step of a run its clone is in
// the same state, and after a reset it is as new.
func TestNoFieldOfAWorldIsForgotten(t *testing.T) {
	worn := map[string]bool{}
	for seed := uint64(1); seed <= 40; seed++ {
		s, _, _ := generate(t, seed)
		w, clone := newWorld(t, s, sim.ExecuteOptions{}), newWorld(t, s, sim.ExecuteOptions{})
		first := sim.State(w)
		for more := true; more; more = w.Next() {
			state := sim.State(w)
			require.True(t, w.CloneInto(clone))
			require.Empty(t, sim.Differences(state, sim.State(clone)), "seed %d, step %d", seed, w.Step().Number)
			for _, name := range sim.Differences(first, state) {
				worn[name] = true
			}
		}
		w.Reset()
		require.Empty(t, sim.Differences(first, sim.State(w)), "seed %d", seed)
	}
	for name := range sim.State(newWorld(t, &traces.Script{Config: traces.DefaultConfig()}, sim.ExecuteOptions{})) {
		if name != "cursor.last" && name != "account.blamed" { // of breaches
			require.True(t, worn[name], "%s is the same in every state", name)
		}
	}
}

// brittle is a worker that panics in the middle of its n-th operation.
type brittle struct {
	engine.Worker
	left int
}

func (b *brittle) Finish(op cache.OpID, r *protocol.Result) bool {
	if b.left--; b.left == 0 {
		panic("out of order")
	}
	return b.Worker.Finish(op, r)
}

// The shrinker resets a world after each script, and one that has crashed, too.
func TestAWorldThatHasCrashedIsAsNewAfterAReset(t *testing.T) {
	s, err := traces.Parse("x.trace", "submit r1 tenant=amber prompt=\"hello\" max=4\ncancel r1 when state=absent\ndrain\n")
	require.NoError(t, err)
	w := newWorld(t, s, sim.ExecuteOptions{Worker: func(s engine.WorkerSetup) engine.Worker {
		return &brittle{Worker: local.NewWorker(s), left: 2}
	}})
	first := sim.State(w)
	r := w.Run()
	require.Len(t, r.Breaches, 1)
	require.Equal(t, invariants.Alive, r.Breaches[0].Promise)
	require.NotEqual(t, first["cursor.last"], sim.State(w)["cursor.last"])
	require.NotEqual(t, first["account.blamed"], sim.State(w)["account.blamed"])
	w.Reset()
	require.Empty(t, sim.Differences(first, sim.State(w)))
}
