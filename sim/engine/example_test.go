package engine_test

import (
	"fmt"

	"custody/cache"
	"custody/scheduler/protocol"
	"custody/sim"
	"custody/sim/engine"
	"custody/sim/local"
	"custody/traces"
)

// counting is an engine under test: Custody's own, with a count.
type counting struct {
	local.Engine
	submitted int
}

func (c *counting) Submit(now engine.Time, s *protocol.Spec) (cache.Req, protocol.Reason) {
	c.submitted++
	return c.Engine.Submit(now, s)
}

// The engine under test is an option of an execution.
func ExampleEngine() {
	mine := &counting{}
	script, _ := traces.Parse("two.trace", `
submit r1 tenant=amber prompt="hello" max=2
submit r2 tenant=teal prompt="hello" max=2
preempt r1
drain
`)
	res, err := sim.Execute(script, sim.ExecuteOptions{Engine: func() engine.Engine { return mine }})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("submitted:", mine.submitted, "- every promise was kept:", res.OK())
	// Output: submitted: 2 - every promise was kept: true
}
