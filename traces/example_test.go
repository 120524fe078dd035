package traces_test

import (
	"fmt"

	"custody/traces"
)

// A script has one spelling: arguments stand in the order of their table, and defaults are left out.
func ExampleParse() {
	script, err := traces.Parse("incident.trace", `
submit r1 prompt="hello" tenant=amber max=1
cancel  r1  when tokens=1
drain
`)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(script)
	// Output:
	// submit r1 tenant=amber prompt="hello"
	// cancel r1 when tokens=1
	// drain
}

// What cannot be read is said with its place, and with what was expected there.
func ExampleParse_error() {
	_, err := traces.Parse("incident.trace", "tenant amber\nsubmitt r1 tenant=amber\n")
	fmt.Println(err)
	// Output: traces/parse: incident.trace:2: unknown verb "submitt", did you mean "submit"?
}
