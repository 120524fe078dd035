package witness_test

import (
	"fmt"

	"custody/invariants"
	"custody/sim"
	"custody/sim/local"
	"custody/traces"
)

// An engine that reports no facts has a witness by itself: what it takes to check most promises is in its plans.
func ExampleEngine() {
	script, _ := traces.Parse("two.trace", `
submit r1 tenant=amber prompt="hello" max=2
submit r2 tenant=teal prompt="hello" max=2
drain
`)
	res, err := sim.Execute(script, sim.ExecuteOptions{Engine: local.NewSilent})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("slots that were read:", res.Checks[invariants.Content], "- every promise that was checked was kept:", res.OK())
	for _, id := range res.Unchecked {
		fmt.Println("not checked:", invariants.Statements[id].Name)
	}
	// Output:
	// slots that were read: 44 - every promise that was checked was kept: true
	// not checked: order
	// not checked: atomic
	// not checked: reuse
	// not checked: mirror
}
