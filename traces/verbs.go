package traces

// This file is the grammar of event lines as data: the parser, the printer and the reference table read it, and the
// shrinker asks it what a line could do without. Adding a verb adds a row here.

// form is the form of one event's line: its words, what stands after them, then its arguments in any order.
type form struct {
	word, object string // "fail", "alloc"; most have no object
	request      bool   // the name of a request follows
	args         []Arg  // in the order in which they are printed
	anchor       bool   // `when …` may end the line
	doc          string
}

// verbs is the table of all events, by Verb.
var verbs = [NumVerbs]form{
	Submit: {word: "submit", request: true, args: []Arg{tenantArg, promptArg, Max, SamplingSeed, EOS, Prio, Temp, TopK, TopP},
		doc: "a client submits a request"},
	Cancel: {word: "cancel", request: true, anchor: true,
		doc: "its client goes away"},
	Preempt: {word: "preempt", request: true, anchor: true,
		doc: "its blocks are taken away and it waits again"},
	Reset: {word: "reset", args: []Arg{Force},
		doc: "the prefix cache is dropped"},
	FailAlloc: {word: "fail", object: "alloc", request: true, args: []Arg{NthBlock}, anchor: true,
		doc: "one allocation of a block fails, once"},
	FailPass: {word: "fail", object: "pass", request: true, args: []Arg{NthChunk}, anchor: true,
		doc: "the pass that carries one of its chunks is lost"},
	FailCopy: {word: "fail", object: "copy", request: true, anchor: true,
		doc: "its asynchronous copy is lost"},
	Refuse: {word: "refuse", request: true, args: []Arg{NthChunk, Final}, anchor: true,
		doc: "the worker refuses one of its chunks"},
	Delay: {word: "delay", request: true, args: []Arg{NthChunk, By}, anchor: true,
		doc: "the pass that carries one of its chunks takes longer"},
	Stall: {word: "stall", request: true, args: []Arg{By}, anchor: true,
		doc: "its asynchronous copy takes longer"},
	Run: {word: "run", args: []Arg{Count},
		doc: "the next derived events happen: plan, finish, settle, deliver, timers"},
	Advance: {word: "+", args: []Arg{Ticks},
		doc: "all derived events due within that time happen"},
	Drain: {word: "drain",
		doc: "no more input; everything must come to its end"},
}

// anchors is the table of what may follow `when`, by AnchorKind.
var anchors = [NumAnchors]struct{ word, doc string }{
	WhenTokens: {"tokens", "that many of its output tokens have settled"},
	WhenChunk:  {"chunk", "that many passes with it have settled"},
	WhenIssued: {"issued", "that many passes with it have been issued"},
	WhenDone:   {"done", "that many passes with it have finished on the worker"},
	WhenState:  {"state", "it is in that state"},
}

// String returns the words that an event's line begins with: "submit", "fail alloc".
func (v Verb) String() string {
	switch {
	case v >= NumVerbs || v == Nop:
		return "nop"
	case verbs[v].object != "":
		return verbs[v].word + " " + verbs[v].object
	}
	return verbs[v].word
}

// Args returns the numbers and flags that the verb takes, in the order in which they are written.
func (v Verb) Args() []Arg {
	all := verbs[v].args
	for len(all) > 0 && all[0] >= NumArgs { // words stand first
		all = all[1:]
	}
	return all
}

// MayWait tells whether an anchor may end the verb's line.
func (v Verb) MayWait() bool { return verbs[v].anchor }

// bare returns the number that follows the verb without a name of its own.
func (f *form) bare() (a Arg, ok bool) {
	if len(f.args) == 0 || args[f.args[0]].kind != asBare {
		return 0, false
	}
	return f.args[0], true
}

// named returns the argument that is written with this name.
func (f *form) named(name string) (a Arg, ok bool) {
	for _, a := range f.args {
		if args[a].word == name && args[a].kind != asBare {
			return a, true
		}
	}
	return 0, false
}

// argNames returns the names of the arguments, for messages.
func (f *form) argNames() []string {
	var names []string
	for _, a := range f.args {
		if args[a].kind != asBare {
			names = append(names, args[a].word)
		}
	}
	return names
}
