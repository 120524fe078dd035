package simtest_test

import (
	"fmt"

	"custody/sim/simtest"
)

// A script says what is expected of it, and CheckText how the run differs from that.
func ExampleCheckText() {
	const script = `
submit r1 tenant=amber prompt="hello" max=2
drain
expect violates tenant
`
	fmt.Println(simtest.CheckText("hello.trace", script, simtest.Options{}))
	// Output:
	// hello.trace: it was expected to break the promise "tenant" and does not
	// next: custody replay hello.trace
}
