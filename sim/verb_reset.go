package sim

import (
	"custody/cache"
	"custody/traces"
)

var resetVerb = Verb{
	Verb: traces.Reset, Fault: true, step: StepReset, line: reset,
	Draw: Draw{Chance: 50, Flags: []Odds{{Arg: traces.Force, Chance: 50}}},
}

// reset drops the prefix cache.
func reset(w *World, e *traces.Event) bool {
	busy := w.effects.out[cache.PassQueue]+w.effects.out[cache.CopyQueue] > 0
	force := e.Has(traces.Force)
	w.saw(Fact{Kind: Resetting, Applied: force, Busy: busy})
	done := w.nodes[0].engine.ResetPrefix(force)
	if force {
		w.requestPlan(w.now)
	}
	return done
}
