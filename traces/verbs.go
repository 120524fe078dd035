package traces

// This file is the grammar of event lines as data: the parser, the printer and the reference table read it, so
// that the three cannot disagree.

// form is the form of one event's line: its words, what stands after them, then its arguments in any order.
type form struct {
	word, object string // "fail", "alloc"; most have no object
	request      bool   // the name of a request follows
	count        *arg   // or a bare number follows
	args         []arg  // in the order in which they are printed
	anchor       bool   // `when …` may end the line
	doc          string
}

// argKind says how an argument is written.
type argKind uint8

const (
	argNumber argKind = iota
	argWide           // a number of 64 bits
	argTenant         // a name, or "?"
	argPrompt         // "text" or a list of token numbers
	argFlag           // a bare word
)

// arg is one argument of an event.
type arg struct {
	name              string
	kind              argKind
	required          bool  // people must write it, and it is always printed
	Default, Min, Max int64 // of a number
	field             func(*Event) *int32
	bit               func(*Event) *bool
	doc               string
}

// Ranges of arguments. A token may lie beyond the vocabulary and a length beyond the limits: refusing them is the
// engine's business.
const (
	maxCount = 1 << 16
	maxTicks = 1 << 20
	maxToken = 1 << 16
)

// verbs is the table of all events, by Kind.
var verbs = [NumVerbs]form{
	Submit: {word: "submit", request: true, doc: "a client submits a request", args: []arg{
		{name: "tenant", kind: argTenant, required: true, doc: "who it belongs to; `?` is a tenant that the engine does not know"},
		{name: "prompt", kind: argPrompt, required: true, doc: "text, whose bytes are the tokens, or token numbers"},
		{name: "max", Default: 1, Max: maxCount, field: maxOf, doc: "most output tokens"},
		{name: "seed", kind: argWide, doc: "sampling seed"},
		{name: "eos", Default: -1, Min: -1, Max: maxToken, field: eosOf, doc: "the token that ends it; -1 is none"},
		{name: "prio", Min: -maxCount, Max: maxCount, field: prioOf, doc: "lower is sooner"},
		{name: "temp", Max: 1000, field: tempOf, doc: "temperature in hundredths; 0 takes the likeliest token"},
		{name: "top_k", Max: maxToken, field: topKOf, doc: "draw from the likeliest so many tokens; 0 is all"},
		{name: "top_p", Max: 100, field: topPOf, doc: "draw from the likeliest tokens that have so many hundredths of the probability; 0 is all"},
	}},
	Cancel:  {word: "cancel", request: true, anchor: true, doc: "its client goes away"},
	Preempt: {word: "preempt", request: true, anchor: true, doc: "its blocks are taken away and it waits again"},
	Reset: {word: "reset", doc: "the prefix cache is dropped", args: []arg{
		{name: "force", kind: argFlag, bit: forceOf, doc: "preempt all running requests first"},
	}},
	FailAlloc: {word: "fail", object: "alloc", request: true, anchor: true, doc: "one allocation of a block fails, once", args: []arg{
		{name: "block", required: true, Max: maxCount, field: countOf, doc: "which entry of its block table, from 0"},
	}},
	FailPass: {word: "fail", object: "pass", request: true, anchor: true, doc: "the pass that carries one of its chunks is lost", args: []arg{chunkArg}},
	FailCopy: {word: "fail", object: "copy", request: true, anchor: true, doc: "its asynchronous copy is lost"},
	Refuse: {word: "refuse", request: true, anchor: true, doc: "the worker refuses one of its chunks", args: []arg{
		chunkArg,
		{name: "final", kind: argFlag, bit: finalOf, doc: "the request ends instead of waiting again"},
	}},
	Delay:   {word: "delay", request: true, anchor: true, doc: "the pass that carries one of its chunks takes longer", args: []arg{chunkArg, byArg}},
	Stall:   {word: "stall", request: true, anchor: true, doc: "its asynchronous copy takes longer", args: []arg{byArg}},
	Run:     {word: "run", count: &runArg, doc: "the next derived events happen: plan, finish, settle, deliver, timers"},
	Advance: {word: "+", count: &advanceArg, doc: "all derived events due within that time happen"},
	Drain:   {word: "drain", doc: "no more input; everything must come to its end"},
}

var (
	chunkArg   = arg{name: "chunk", Default: 1, Min: 1, Max: maxCount, field: countOf, doc: "which of its chunks, from 1"}
	byArg      = arg{name: "by", required: true, Default: 1, Min: 1, Max: maxTicks, field: ticksOf, doc: "ticks more"}
	runArg     = arg{name: "K", Min: 1, Max: maxCount, field: countOf, doc: "how many"}
	advanceArg = arg{name: "T", Min: 1, Max: maxTicks, field: ticksOf, doc: "ticks"}
)

func maxOf(e *Event) *int32   { return &e.Max }
func eosOf(e *Event) *int32   { return &e.EOS }
func prioOf(e *Event) *int32  { return &e.Prio }
func tempOf(e *Event) *int32  { return &e.Temp }
func topKOf(e *Event) *int32  { return &e.TopK }
func topPOf(e *Event) *int32  { return &e.TopP }
func countOf(e *Event) *int32 { return &e.N }
func ticksOf(e *Event) *int32 { return &e.By }
func finalOf(e *Event) *bool  { return &e.Final }
func forceOf(e *Event) *bool  { return &e.Force }

// anchors is the table of what may follow `when`, by AnchorKind.
var anchors = [NumAnchors]struct{ word, doc string }{
	WhenTokens: {"tokens", "that many of its output tokens have settled"},
	WhenChunk:  {"chunk", "that many passes with it have settled"},
	WhenIssued: {"issued", "that many passes with it have been issued"},
	WhenDone:   {"done", "that many passes with it have finished on the worker"},
	WhenState:  {"state", "it is in that state"},
}

// String returns the words that an event's line begins with: "submit", "fail alloc".
func (k Verb) String() string {
	switch {
	case k >= NumVerbs || k == Nop:
		return "nop"
	case verbs[k].object != "":
		return verbs[k].word + " " + verbs[k].object
	}
	return verbs[k].word
}

// argNamed returns the index of the argument of that name, or -1.
func (v *form) argNamed(name string) int {
	for i := range v.args {
		if v.args[i].name == name {
			return i
		}
	}
	return -1
}

// argNames returns the names of the arguments, for messages.
func (v *form) argNames() []string {
	var names []string
	for i := range v.args {
		names = append(names, v.args[i].name)
	}
	return names
}
