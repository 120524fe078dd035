package witness_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"custody/cache"
	"custody/sim"
	"custody/sim/engine"
	"custody/sim/gen"
	"custody/sim/local"
)

// mute is Custody's own engine with its facts cut off.
type mute struct{ *local.Engine }

func (m mute) Attach(cache.Observer) {}

func (m mute) AttachStream(cache.Stream) {}

func (m mute) Hello(s engine.Setup) (engine.Claims, error) {
	c, err := m.Engine.Hello(s)
	c.Facts = false
	return c, err
}

func (m mute) CloneInto(dst engine.Engine) { m.Engine.CloneInto(dst.(mute).Engine) }

func newMute() engine.Engine { return mute{&local.Engine{}} }

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
				r, err := sim.Execute(s, sim.ExecuteOptions{Engine: newMute})
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
	o := sim.ExecuteOptions{Engine: newMute}
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
