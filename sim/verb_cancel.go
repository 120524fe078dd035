package sim

import "custody/traces"

var cancelVerb = VerbSpec{
	Verb: traces.Cancel, Fault: true, step: StepCancel, apply: cancel, Chance: 50, Target: true, Anchor: 40,
}

// cancel lets a client go away.
func cancel(w *World, c *Client, _ *traces.Event) bool {
	life := w.Node().present(c)
	w.saw(Fact{Kind: Cancelling, Client: w.roster.Of(life)})
	w.Node().requestPlan(w.now)
	return tookEffectNow(w, traces.Cancel, w.Node().door.Cancel(life))
}
