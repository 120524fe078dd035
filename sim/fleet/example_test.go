package fleet_test

import (
	"fmt"

	"custody/sim/cover"
	"custody/sim/fleet"
	"custody/sim/gen"
)

// Four worlds at once; the results come in the order of the seeds, so that the digest does not depend on how many there
// are.
func ExampleCampaign() {
	var sum cover.Summary
	fleet.Campaign{First: 1, Seeds: 20, Workers: 4, Profile: gen.Profiles[0]}.Run(func(x fleet.Taken) bool {
		sum.Add(x.Result, x.Seen)
		return x.Result.OK()
	})
	fmt.Println(sum.Seeds, "seeds,", sum.Violations, "broken")
	// Output: 20 seeds, 0 broken
}
