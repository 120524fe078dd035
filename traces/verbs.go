package traces

// This file is the grammar of event lines as data: the parser, the printer and the reference table read it, and the
// shrinker asks it what a line could do without. Adding a verb adds a row here.

// Verb says what a script event does.
type Verb uint8

// The events of a script. Every one means something in every state; where it does not apply it is a recorded no-op.
const (
	Nop       Verb = iota // a line that ParseAny could not read; kept as text, does nothing
	Submit                // submit NAME tenant=T prompt=P [max=N] [seed=N] [eos=N] [prio=N] [temp=N] [top_k=N] [top_p=N]
	Cancel                // cancel NAME
	Preempt               // preempt NAME: its blocks are taken away, it waits again
	Reset                 // reset [force]: drop the prefix cache; force preempts all running requests first
	FailAlloc             // fail alloc NAME block=N: the allocation of NAME's table entry N (from 0) fails once
	FailPass              // fail pass NAME [chunk=N]: the pass that carries NAME's Nth chunk is lost
	FailCopy              // fail copy NAME: NAME's asynchronous copy is lost
	Refuse                // refuse NAME [chunk=N] [final]: the worker refuses NAME's Nth chunk (requeue unless final)
	Delay                 // delay NAME [chunk=N] by=T: the pass that carries NAME's Nth chunk takes T ticks more
	Stall                 // stall NAME by=T: NAME's asynchronous copy takes T ticks more
	Run                   // run K: the next K derived events happen
	Advance               // +T: all derived events due within T ticks happen
	Drain                 // drain: no more input; everything must come to its end
	NumVerbs
)

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
