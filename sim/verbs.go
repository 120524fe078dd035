package sim

import "custody/traces"

// Verb is what a line of a script does in a world: what traces has as grammar, here as behaviour. Every verb means
// something in every state; where it does not apply it is a recorded no-op.
type Verb struct {
	Verb    traces.Verb
	Fault   bool // a profile with faults may draw it
	Refusal bool // a profile with refusals may
	// Strikes: it arms what takes effect later; a campaign wants to see it do so.
	Strikes bool
	Draw    Draw

	step  StepKind
	line  func(w *World, e *traces.Event) bool            // of a verb that names no live request
	apply func(w *World, c *Client, e *traces.Event) bool // of one that does
}

// Draw is how a generator draws a verb and its arguments. Chances are in percent.
type Draw struct {
	Chance int  // that a script has the verb at all
	Target bool // it names a request
	Args   []Range
	Flags  []Odds
	Anchor int // chance of an anchor
}

// Range is the range of an argument.
type Range struct {
	Arg    traces.Arg
	Lo, Hi int32
}

// Odds is the chance of a flag.
type Odds struct {
	Arg    traces.Arg
	Chance int
}

// Verbs are the verbs of a script that are no derived time: in the order in which a generator decides which of them a
// script has.
var Verbs = []Verb{
	submitVerb, refuseVerb, cancelVerb, preemptVerb, resetVerb, failAllocVerb, failPassVerb, failCopyVerb, delayVerb, stallVerb,
}

// verbs are the verbs by kind.
var verbs = func() (list [traces.NumVerbs]Verb) {
	for _, v := range Verbs {
		list[v.Verb] = v
	}
	return list
}()

// VerbOf is the behaviour of a verb; its Verb is Nop if it is none.
func VerbOf(k traces.Verb) *Verb { return &verbs[k] }

// apply applies a line now, as a step. It reports whether the line did anything.
func (w *World) apply(e *traces.Event, index int) bool {
	v := &verbs[e.Verb]
	w.begin(v.stepKind())
	w.cursor.index, w.cursor.armed = index, false
	applied := w.do(v, e)
	w.saw(Fact{Kind: Played, Line: e, Applied: applied, Armed: w.cursor.armed, Verb: e.Verb})
	w.end()
	w.fireAnchors()
	return applied
}

func (v *Verb) stepKind() StepKind {
	if v.Verb == traces.Nop {
		return StepNop
	}
	return v.step
}

func (w *World) do(v *Verb, e *traces.Event) bool {
	if v.line != nil {
		return v.line(w, e)
	}
	c := w.roster.named(e.Name)
	if c == nil || c.Ended || !c.Live || v.apply == nil {
		w.saw(Fact{Kind: NothingToDo})
		return false
	}
	return v.apply(w, c, e)
}

// struckNow notes a line that strikes at once, if it did.
func (w *World) struckNow(verb traces.Verb, applied bool) bool {
	if applied {
		w.saw(Fact{Kind: Struck, Verb: verb})
	}
	return applied
}
