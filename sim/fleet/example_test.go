package fleet_test

import (
	"fmt"

	"custody/sim"
	"custody/sim/fleet"
)

// Four worlds at once; the results come in the order of the seeds, so that the digest does not depend on how many there
// are.
func ExampleCampaign() {
	var sum sim.Summary
	fleet.Campaign{First: 1, Seeds: 20, Workers: 4, Profile: sim.Profiles[0]}.Run(func(x fleet.Taken) bool {
		sum.Add(x.Result)
		return x.Result.OK()
	})
	fmt.Println(sum.Seeds, "seeds,", sum.Violations, "broken")
	// Output: 20 seeds, 0 broken
}
