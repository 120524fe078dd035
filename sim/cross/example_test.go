package cross_test

import (
	"fmt"

	"custody/sim/cross"
	"custody/traces"
)

// A client sees the same tokens under every combination of policies.
func ExampleRun() {
	s, err := traces.Parse("two.trace", `submit r1 tenant=amber prompt="the same words" max=3
submit r2 tenant=amber prompt="the same words" max=3
preempt r2 when tokens=1
drain
`)
	if err != nil {
		fmt.Println(err)
		return
	}
	runs, differs := cross.Run(s, nil)
	fmt.Println(runs, differs)
	// Output: 432 <nil>
}
