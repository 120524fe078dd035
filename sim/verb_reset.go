package sim

import (
	"custody/cache"
	"custody/traces"
)

var resetVerb = VerbSpec{
	Verb: traces.Reset, Fault: true, claimed: true, heard: true, step: StepReset, line: reset,
	Chance: 50, Args: []Range{{Arg: traces.Force, Chance: 50}},
}

// reset drops the prefix cache.
func reset(w *World, e *traces.Event) bool {
	busy := w.effects.out[cache.PassQueue]+w.effects.out[cache.CopyQueue] > 0
	force := e.Has(traces.Force)
	w.saw(Fact{Kind: Resetting, Applied: force, Busy: busy})
	done := w.Node().door.ResetPrefix(force)
	if force {
		w.Node().requestPlan(w.now)
	}
	return done
}
