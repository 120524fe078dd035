package shrink_test

import (
	"fmt"

	"custody/traces"
	"custody/traces/shrink"
)

// The system under test here breaks its only promise as soon as two requests have been submitted; what a script does
// besides is not needed for that, and goes.
func ExampleRun() {
	system := func(s *traces.Script) shrink.Outcome {
		out := shrink.Outcome{Noop: make([]bool, len(s.Events))}
		submitted := 0
		for i := range s.Events {
			if s.Events[i].Verb != traces.Submit {
				continue
			}
			if submitted++; submitted == 2 {
				out.Failures = append(out.Failures, shrink.Failure{
					Identity: shrink.Identity{Promise: "alone", Event: "submit"}, Step: i + 1, Last: i,
				})
			}
		}
		return out
	}
	script, _ := traces.Parse("long.trace", `
submit r1 tenant=amber prompt="a long prompt" max=9 seed=7
run 20
cancel r1
submit r2 tenant=teal prompt="another one" max=4
delay r2 by=3
submit r3 tenant=teal prompt="a third" max=4
drain
`)
	found := shrink.Run(script, shrink.Identity{Promise: "alone", Event: "submit"}, system, shrink.Options{Budget: 1000})
	fmt.Print(found.Script)
	// Output:
	// submit r1 tenant=amber prompt=
	// submit r1 tenant=amber prompt=
	// expect violates alone
}
