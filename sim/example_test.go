package sim_test

import (
	"fmt"

	"custody/sim"
	"custody/traces"
)

// Two tenants send the same prompt. The same script gives the same steps, everywhere; what is checked stands in the
// result.
func ExampleExecute() {
	script, err := traces.Parse("twice.trace", `
submit r1 tenant=amber prompt="the same words" max=2
submit r2 tenant=teal prompt="the same words" max=2
drain
`)
	if err != nil {
		fmt.Println(err)
		return
	}
	res, err := sim.Execute(script, sim.ExecuteOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("every promise was kept:", res.OK())
	fmt.Println("tokens sampled:", res.Work.Tokens)
	// Output:
	// every promise was kept: true
	// tokens sampled: 4
}
