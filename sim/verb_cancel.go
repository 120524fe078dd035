package sim

import "custody/traces"

var cancelVerb = Verb{
	Verb: traces.Cancel, Fault: true, step: StepCancel, apply: cancel, Draw: Draw{Chance: 50, Target: true, Anchor: 40},
}

// cancel lets a client go away.
func cancel(w *World, c *Client, _ *traces.Event) bool {
	life := w.present(c)
	w.saw(Fact{Kind: Cancelling, Client: w.roster.Of(life)})
	w.requestPlan(w.now)
	return w.struckNow(traces.Cancel, w.nodes[0].engine.Cancel(life))
}
