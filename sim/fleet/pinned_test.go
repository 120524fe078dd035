package fleet_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/sim/cover"
	"custody/sim/fleet"
	"custody/sim/gen"
)

// pinned are the digests of seeds 1 to 20,000 of every profile. A change that means to keep behaviour keeps them; one that
// means to change it writes them anew, once, and says why.
var pinned = map[string]string{
	"swarm":    "9e9ee9ee0747bd31b6366e80a5a8538d",
	"calm":     "cd5eef9285092c710d9dcf1f70a54b53",
	"mismatch": "089642b9a1ba0f9ac6887820f1706c70",
	"layout":   "1ebdd7f41afe0b6c19c3a8ef4e01bee6",
	"long":     "ed3fae4ca40009ff86d9508ecb2edd24",
}

func TestTheDigestsOfEveryProfileAreThePinnedOnes(t *testing.T) {
	if testing.Short() {
		t.Skip("11 million steps")
	}
	for _, p := range gen.Profiles {
		t.Run(p.Name, func(t *testing.T) {
			var sum cover.Summary
			c := fleet.Campaign{First: 1, Seeds: 20_000, Workers: runtime.NumCPU(), Profile: p}
			c.Run(func(x fleet.Taken) bool {
				require.NoError(t, x.Err)
				require.True(t, x.Result.OK(), "seed %d: %v", x.Seed, x.Result.Breaches)
				sum.Add(x.Result, x.Seen)
				return true
			})
			require.Equal(t, pinned[p.Name], sum.Digest.String())
			requireOnlyPossibleCells(t, &sum.Coverage)
			if p.Name == gen.Profiles[0].Name {
				require.GreaterOrEqual(t, sum.Work.Steps, int64(1_000_000))
				require.Empty(t, sum.Coverage.Missing(), "a million steps exercise everything")
			}
		})
	}
}

// requireOnlyPossibleCells: what the table of cells calls impossible does not happen, nor what the lifecycle lacks.
func requireOnlyPossibleCells(t *testing.T, c *cover.Coverage) {
	t.Helper()
	var visited, total int64
	c.Interrupts.Visit(func(x cover.Cell, n int64) {
		visited += n
		if why := x.Impossible(); why != "" {
			require.Zero(t, n, "%+v: %s", x, why)
		}
	})
	for _, swept := range c.Interrupts {
		for _, state := range swept {
			for _, gap := range state {
				total += gap[0] + gap[1]
			}
		}
	}
	require.Equal(t, visited, total)
}
