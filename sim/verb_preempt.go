package sim

import (
	"custody/sim/engine"
	"custody/traces"
)

var preemptVerb = Verb{
	Verb: traces.Preempt, Fault: true, step: StepPreempt, apply: preempt, Draw: Draw{Chance: 50, Target: true, Anchor: 40},
}

// preempt takes a request's blocks away.
func preempt(w *World, c *Client, _ *traces.Event) bool {
	x, can := w.nodes[0].engine.(engine.Preempter)
	if !can {
		return false
	}
	w.saw(Fact{Kind: Exempting})
	w.requestPlan(w.now)
	return w.struckNow(traces.Preempt, x.Preempt(w.present(c)))
}
