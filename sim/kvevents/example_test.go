package kvevents_test

import (
	"fmt"

	"custody/sim"
	"custody/sim/kvevents"
	"custody/traces"
)

// What a router outside would receive: a block of four tokens can be found from now on.
func ExampleListen() {
	script, _ := traces.Parse("four.trace", "config block=4\nsubmit r1 tenant=amber prompt=1,2,3,4,5\ndrain\n")
	listener := kvevents.Listen(func(e kvevents.Record) {
		fmt.Println(e.Seq, e.Type, e.Tokens, "of the domain", e.Identity.Domain)
	})
	if _, err := sim.Execute(script, sim.ExecuteOptions{Watch: []sim.Watcher{listener}}); err != nil {
		fmt.Println(err)
	}
	// Output: 1 stored [1 2 3 4] of the domain 1
}
