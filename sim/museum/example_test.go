package museum_test

import (
	"fmt"

	"custody/sim/museum"
	"custody/traces"
)

// An exhibit is an edit of the engine, and the script that shows what the edit breaks. In the engine as it is, which this
// test is compiled with, the script breaks nothing.
func ExampleExecute() {
	m, err := museum.Open("../..")
	if err != nil {
		fmt.Println(err)
		return
	}
	x := m.Exhibit("incident-row-stays")
	fmt.Println("edits", x.Edits[0].Func, "in", x.Edits[0].File, "and breaks", x.Promise)

	script, err := traces.Parse(x.ID, x.Script)
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := museum.Execute(script)
	fmt.Println(len(report.Breaches), "breaches without the edit,", err)
	// Output:
	// edits Runner.refuse in model/worker/refuse.go and breaks tenant
	// 0 breaches without the edit, <nil>
}
