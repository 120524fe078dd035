package sim

import (
	"custody/sim/engine"
	"custody/traces"
)

var preemptVerb = VerbSpec{
	Verb: traces.Preempt, Fault: true, claimed: true, able: preempts, heard: true, step: StepPreempt, apply: preempt,
	Chance: 50, Target: true, Anchor: 40,
}

func preempts(n *Node) bool {
	_, able := n.Engine.(engine.Preempter)
	return able
}

// preempt takes a request's blocks away.
func preempt(w *World, c *Client, _ *traces.Event) bool {
	w.saw(Fact{Kind: Exempting})
	w.Node().requestPlan(w.now)
	return tookEffectNow(w, traces.Preempt, w.Node().door.(engine.Preempter).Preempt(w.Node().present(c)))
}
