package cover

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/sim"
	"custody/sim/gen"
	"custody/traces"
)

// campaign runs seeds of a profile and returns their summary.
func campaign(t testing.TB, p gen.Profile, seeds int) *Summary {
	t.Helper()
	var sum Summary
	seen := &Recorder{}
	for seed := uint64(1); seed <= uint64(seeds); seed++ {
		_, r, err := gen.Generate(seed, p, sim.ExecuteOptions{Watch: []sim.Watcher{seen}})
		require.NoError(t, err)
		require.True(t, r.OK(), "seed %d: %v", seed, r.Breaches)
		sum.Add(r, seen.Coverage())
	}
	return &sum
}

// Twenty thousand of every profile run in sim/fleet, on all cores.
func TestAThousandSeedsOfTheCleanEngineBreakNoPromise(t *testing.T) {
	campaign(t, gen.Profiles[0], 1000)
}

// Every value of every policy, with one and with two passes outstanding, each in a campaign of its own.
func TestNoPolicyBreaksAPromise(t *testing.T) {
	t.Parallel()
	for _, key := range []traces.Key{
		traces.Policy, traces.Free, traces.Release, traces.Publish, traces.Cache, traces.Reserve, traces.Loop, traces.Overlap,
	} {
		for value, word := range traces.Keys[key].Names {
			keepsEveryPromise(t, key, int64(value), word)
		}
	}
	for _, ticks := range []int64{0, 1, 60} { // no copies; copies that are done before the next pass, and long after
		keepsEveryPromise(t, traces.Copy, ticks, fmt.Sprint(ticks))
	}
}

func keepsEveryPromise(t *testing.T, key traces.Key, value int64, word string) {
	for depth := int64(1); depth <= 2; depth++ {
		t.Run(traces.Keys[key].Name+"="+word, func(t *testing.T) {
			t.Parallel()
			p := gen.Profiles[0]
			p.Configure = func(c *traces.Config) { c[key], c[traces.Depth] = value, depth }
			campaign(t, p, 200)
		})
	}
}

func TestMissingReportsWhatACampaignNeverExercised(t *testing.T) {
	calm, ok := gen.FindProfile("calm")
	require.True(t, ok)
	missing := campaign(t, calm, 50).Coverage.Missing()
	require.Contains(t, missing, "transition: cancel in state decode")
	require.Contains(t, missing, "fault: fail pass")
	require.Contains(t, missing, "refusal: injected")
	require.Contains(t, missing, "sweep: cancel in state decode, gap finished, depth 2")
	require.Contains(t, missing, "forced reset with work in flight")
	require.Contains(t, missing, "mark: refused-with-a-pass-outstanding")
	require.NotContains(t, missing, "mark: same-domain-shares")
	require.NotContains(t, missing, "transition: admit in state waiting")
}
