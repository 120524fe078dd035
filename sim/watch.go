package sim

import (
	"custody/cache"
	"custody/scheduler/protocol"
	"custody/traces"
)

// Watcher is told each fact of a world once, in the order of happening; it changes nothing. An Observing one is also told
// what happens to KV memory and to requests inside the engine, a Streaming one the engine's KV events. One that has a method
// Hears(FactKind) bool is told only the facts that it hears. Whoever watches one world can watch another after its end: Start
// begins anew.
type Watcher interface {
	Start(*World) // before the first step
	Begin(Step)
	Saw(*Fact) // valid during the call
	End(Step)
}

// Observing is a watcher to which the engine and its worker report.
type Observing interface {
	Observer() cache.Observer
}

// Streaming is a watcher that follows the engine's KV events.
type Streaming interface {
	Stream() cache.Stream
}

// FactKind is what a fact is about.
type FactKind uint8

// The facts. What else they say is given with each.
const (
	Handshake   FactKind = iota // the worker was refused; Text says why
	Submitted                   // before the engine hears of it: Client, Line, Spec
	Accepted                    // Client, Line, Life; Before: the latest client of the name until then, or -1
	Rejected                    // Client, Line, Spec, Why; Applied: an earlier request of the name lives
	Cancelling                  // before the engine hears of it: Client
	Exempting                   // a preemption is about to be forced: no rule of the policy binds this step
	Injecting                   // a refusal is armed at the worker: Client
	Resetting                   // before the engine hears of it: Applied: by force; Busy; no rule binds this step
	Played                      // a line has been carried out: Line; Armed, or Applied if it did anything
	NothingToDo                 // a line names no request that lives
	TookEffect                  // an armed fault, or a line that strikes at once, took effect: Verb; Aside (of a failed allocation)
	Cleared                     // ended rows are named to the worker: Plan
	Issued                      // Operation, Plan, Refused
	Finished                    // Operation
	Settling                    // before the engine hears of it: Operation, which may be lost; Late
	Refusing                    // before the engine hears of it: Op, Refused
	Output                      // the engine has a token for a client: Client, Life, Token
	Ending                      // the engine has an end for a client: Client, Life, Why
	Sent                        // it goes on its way over a link of some ticks: Client, Life, Token, Why
	Delivered                   // it arrives: Client, Life, Token, Why
	Drained                     // a drain has come to its end, or to its bound: Applied: at rest
	Crashed                     // the engine panicked: Text is its identity
	Begun                       // a step begins: told by Begin
	Over                        // a step is over: told by End
	NumFacts
)

// Fact is one fact. Only the fields named with its kind are set. What the pointers and slices refer to belongs to the
// world.
type Fact struct {
	Kind      FactKind
	Applied   bool
	Armed     bool
	Busy      bool // operations are outstanding
	Late      bool // a row's life is over
	Verb      traces.Verb
	Op        cache.OpID
	Client    int32 // number in the roster
	Before    int32
	Aside     int32
	Life      cache.Req
	Token     cache.Token
	Why       protocol.Reason // NoReason: it is a token
	Line      *traces.Event   // of the script
	Spec      *protocol.Spec
	Plan      *protocol.Plan
	Operation *Operation
	Refused   []protocol.Refusal
	Text      string
}

// hearers are the watchers, by the kinds of facts that they are told.
type hearers struct {
	of   [NumFacts][]Watcher
	fact Fact // that is being told
}

// add adds one of n watchers, which may choose.
func (h *hearers) add(x Watcher, n int) {
	choosy, is := x.(interface{ Hears(FactKind) bool })
	if h.of[0] == nil { // room for all in one piece
		room := make([]Watcher, int(NumFacts)*n)
		for k := range h.of {
			h.of[k] = room[k*n : k*n : (k+1)*n]
		}
	}
	for k := range NumFacts {
		if !is || choosy.Hears(k) {
			h.of[k] = append(h.of[k], x)
		}
	}
}

// saw tells the watchers a fact.
func (w *World) saw(f Fact) {
	if h := &w.hearers; len(h.of[f.Kind]) > 0 {
		h.fact = f
		h.tell(h.of[f.Kind])
	}
}

// pass tells a fact of each pass. Facts that are told often are put together where they are told from: copying one costs as
// much as telling it.
func (h *hearers) pass(k FactKind, o *Operation, p *protocol.Plan) {
	if list := h.of[k]; len(list) > 0 {
		f := &h.fact
		*f = Fact{}
		f.Kind, f.Operation, f.Plan = k, o, p
		h.tell(list)
	}
}

// message tells a fact of each token or end.
func (h *hearers) message(k FactKind, client int32, out *protocol.Output) {
	if list := h.of[k]; len(list) > 0 {
		f := &h.fact
		*f = Fact{}
		f.Kind, f.Client, f.Life, f.Token, f.Why = k, client, out.Req, out.Token, out.Why
		h.tell(list)
	}
}

func (h *hearers) tell(list []Watcher) {
	for _, x := range list {
		x.Saw(&h.fact)
	}
}

// attach lets the watchers that want to hear the engine and its worker hear them.
func (w *World) attach() {
	var list observers
	var streams streams
	for _, x := range w.watchers {
		w.hearers.add(x, len(w.watchers))
		if o, ok := x.(Observing); ok {
			list = append(list, o.Observer())
		}
		if s, ok := x.(Streaming); ok {
			streams = append(streams, s.Stream())
		}
	}
	for i := range w.nodes {
		w.nodes[i].attach(list.observer(), streams.stream())
	}
}
