package sim

import (
	"custody/sim/engine"
	"custody/traces"
)

var preemptVerb = VerbSpec{
	Verb: traces.Preempt, Fault: true, heard: true, step: StepPreempt, apply: preempt, Chance: 50, Target: true, Anchor: 40,
}

// preempt takes a request's blocks away.
func preempt(w *World, c *Client, _ *traces.Event) bool {
	if !w.Node().Can(traces.Preempt) {
		return false
	}
	w.saw(Fact{Kind: Exempting})
	w.Node().requestPlan(w.now)
	return tookEffectNow(w, traces.Preempt, w.Node().door.(engine.Preempter).Preempt(w.Node().present(c)))
}
