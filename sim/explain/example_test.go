package explain_test

import (
	"fmt"

	"custody/sim"
	"custody/sim/explain"
	"custody/traces"
)

// A recording can be looked at after any of its steps.
func ExampleRecord() {
	script, _ := traces.Parse("hello.trace", "submit r1 tenant=amber prompt=\"hello\" max=2\ndrain\n")
	rec, err := explain.Record(script, sim.ExecuteOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, step := range []int64{1, 3} {
		frame, err := rec.At(step)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(frame.Step, frame.Kind, frame.Notes)
	}
	// Output:
	// 1 submit [submit r1 of amber: 5 tokens, accepted]
	// 3 plan [plan op1, due t=13: r1 [0,5) blocks [0 1]]
}
