package gen_test

import (
	"fmt"

	"custody/sim"
	"custody/sim/gen"
)

// A seed draws a script, the same one everywhere.
func ExampleGenerate() {
	a, _, err := gen.Generate(7, gen.Profiles[0], sim.ExecuteOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	b, _, _ := gen.Generate(7, gen.Profiles[0], sim.ExecuteOptions{})
	fmt.Println(a.String() == b.String(), "and it ends with", a.Events[len(a.Events)-1].Verb)
	// Output: true and it ends with drain
}
