package cover_test

import (
	"fmt"

	"custody/sim"
	"custody/sim/cover"
	"custody/sim/gen"
)

// A recorder watches a run, and a summary takes in what it has counted.
func ExampleSummary() {
	var sum cover.Summary
	var watching cover.Recorder
	for seed := range uint64(20) {
		_, res, err := gen.Generate(seed+1, gen.Profiles[0], sim.ExecuteOptions{Watch: []sim.Watcher{&watching}})
		if err != nil {
			fmt.Println(err)
			return
		}
		sum.Add(res, watching.Coverage())
	}
	fmt.Println(sum.Seeds, "seeds,", sum.Violations, "broken; everything is covered:", sum.Covered())
	// Output: 20 seeds, 0 broken; everything is covered: false
}
