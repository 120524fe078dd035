package shrink_test

import (
	"fmt"

	"custody/traces"
	"custody/traces/shrink"
)

var lost = shrink.Identity{Promise: "alive"}

// forgetful is an engine, or what matters of one: it loses a request that is preempted twice.
func forgetful(s *traces.Script) (out shrink.Outcome) {
	met := map[string]int{}
	for i, e := range s.Events {
		switch {
		case e.Verb == traces.Submit && len(e.Prompt) > 0:
			met[e.Name] = 1
		case e.Verb == traces.Preempt && met[e.Name] > 0:
			met[e.Name]++
		}
		if met[e.Name] == 3 {
			out.Failures = append(out.Failures, shrink.Failure{Identity: lost, Last: i, Names: []string{e.Name}})
			break
		}
	}
	return out
}

// Run finds the three lines that matter among those that a generator made, and gives names, numbers and prompts the
// simplest values with which the failure stays.
func ExampleRun() {
	s, err := traces.Parse("seed.trace", `
config blocks=12 rows=3 policy=priority
submit q7 tenant=teal prompt="something long" max=9 prio=2
run 4
submit q9 tenant=olive prompt=200,201 max=3
preempt q7 when tokens=2
+30
cancel q9
preempt q7
drain
`)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(shrink.Run(s, lost, forgetful, shrink.Options{}).Script)
	// Output:
	// submit r1 tenant=amber prompt=0
	// preempt r1
	// preempt r1
	// expect violates alive by r1
}
