package fleet_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/sim"
	"custody/sim/fleet"
)

// pinned are the digests of seeds 1 to 20,000 of every profile. A change that means to keep behaviour keeps them; one that
// means to change it writes them anew, once, and says why.
var pinned = map[string]string{
	"swarm":    "1eb8f40a71e96bf0e8d5d6de20ef9f8e",
	"calm":     "5c19eb9dcc60a575e6f6701254efcb06",
	"mismatch": "9300a732066a53f1b8760b0a48623cf1",
	"layout":   "fd9db49164ec153d9813369c78d4009b",
	"long":     "5e769d5ae6253e8548c0773405c17f9b",
}

func TestTheDigestsOfEveryProfileAreThePinnedOnes(t *testing.T) {
	if testing.Short() {
		t.Skip("11 million steps")
	}
	for _, p := range sim.Profiles {
		t.Run(p.Name, func(t *testing.T) {
			var sum sim.Summary
			c := fleet.Campaign{First: 1, Seeds: 20_000, Workers: runtime.NumCPU(), Profile: p}
			c.Run(func(x fleet.Taken) bool {
				sum.Add(x.Result)
				return true
			})
			require.Zero(t, sum.Violations)
			require.Equal(t, pinned[p.Name], sum.Digest.String())
		})
	}
}
