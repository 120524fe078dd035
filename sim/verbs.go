package sim

import (
	"custody/cache"
	"custody/traces"
)

// VerbSpec is what a line of a script does in a world, and how a generator draws it: what traces has as grammar, here as
// behaviour. Every verb means something in every state; where it does not apply it is a recorded no-op. Chances are in
// percent.
type VerbSpec struct {
	Verb    traces.Verb
	Fault   bool // a profile with faults may draw it
	Refusal bool // a profile with refusals may
	Strikes bool // it arms what takes effect later; a campaign wants to see it do so
	Chance  int  // that a script has the verb at all
	Target  bool // it names a request that lives
	Args    []Range
	Anchor  int // chance of an anchor

	claimed bool              // it means something only to an engine that claims so
	able    func(*Node) bool  // and that has the ability that it takes; nil: it takes none
	denies  []cache.BlockKind // what the engine is denied when it takes effect

	heard bool // it is for the engine to hear, when it does
	step  StepKind
	line  func(w *World, e *traces.Event) bool            // of a verb that names no live request
	apply func(w *World, c *Client, e *traces.Event) bool // of one that does
}

// Range is how an argument is drawn: a number from Lo to Hi, or with a chance a flag.
type Range struct {
	Arg    traces.Arg
	Lo, Hi int32
	Chance int // of a flag
}

// Verbs are the verbs of a script that are no derived time: in the order in which a generator decides which of them a
// script has.
var Verbs = []VerbSpec{
	submitVerb, refuseVerb, cancelVerb, preemptVerb, resetVerb, failAllocVerb, failPassVerb, failCopyVerb, delayVerb, stallVerb,
}

// verbs are the verbs by number.
var verbs = func() (list [traces.NumVerbs]VerbSpec) {
	for _, v := range Verbs {
		list[v.Verb] = v
	}
	return list
}()

// apply applies a line now, as a step. It reports whether the line did anything.
func (w *World) apply(e *traces.Event, index int) bool {
	v := &verbs[e.Verb]
	w.begin(v.stepKind())
	w.cursor.index, w.cursor.armed = index, false
	applied := v.do(w, e)
	w.saw(Fact{Kind: Played, Line: e, Applied: applied, Armed: w.cursor.armed})
	w.end()
	w.cursor.fireAnchors()
	return applied
}

func (v *VerbSpec) stepKind() StepKind {
	if v.Verb == traces.Nop {
		return StepNop
	}
	return v.step
}

// do does what the line says. A request that does not live is nobody to do anything to.
func (v *VerbSpec) do(w *World, e *traces.Event) bool {
	if v.line != nil {
		return w.Node().Can(v.Verb) && v.line(w, e)
	}
	c := w.roster.named(e.Name)
	if c == nil || c.Ended || !c.Live || v.apply == nil {
		w.saw(Fact{Kind: NothingToDo})
		return false
	}
	return w.Node().Can(v.Verb) && v.apply(w, c, e)
}

// tookEffectNow notes a line that strikes at once, if it did.
func tookEffectNow(w *World, verb traces.Verb, applied bool) bool {
	if applied {
		w.saw(Fact{Kind: TookEffect, Verb: verb})
	}
	return applied
}
