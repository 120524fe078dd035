package scheduler

import (
	"fmt"
	"strings"

	"custody/cache"
)

// State is where a request stands in its life.
type State uint8

// The states.
const (
	Absent    State = iota // not known (any more)
	Waiting                // accepted, holds nothing
	Loading                // holds blocks; an asynchronous copy is writing one of them
	Loaded                 // holds blocks with all but its last position; waits for a row
	Prefill                // has a row; its prompt is being computed
	Decode                 // has a row; has given at least one token
	Preempted              // has lost blocks and row; waits to compute everything again
	Ended
	NumStates
)

// StateNames are the words for the states.
var StateNames = [NumStates]string{"absent", "waiting", "loading", "loaded", "prefill", "decode", "preempted", "ended"}

func (s State) String() string { return StateNames[s] }

// On is an event in the life of a request.
type On uint8

// The events.
const (
	OnSubmit  On = iota // accepted at the door
	OnCopy              // its blocks are given, the copy of its tail is issued
	OnCopied            // the copy has settled
	OnAdmit             // gets a row
	OnChunk             // a part of the prompt has settled
	OnToken             // an output token has settled
	OnStop              // its end-of-sequence token has settled
	OnLength            // its last allowed token has settled
	OnCancel            // the client went away
	OnPreempt           // its blocks are needed elsewhere
	OnRequeue           // the worker refused it, and it may try again
	OnRefuse            // the worker refused it for good
	OnLost              // an operation that carried it failed
	NumOns
)

// onNames are the words for the events.
var onNames = [NumOns]string{"submit", "copy", "copied", "admit", "chunk", "token", "stop", "length", "cancel", "preempt",
	"requeue", "refuse", "lost"}

func (o On) String() string { return onNames[o] }

// Resource is a set of what a request holds.
type Resource uint8

// The resources. A transition that names one must release it, and nothing else releases it.
const (
	Blocks Resource = 1 << iota // the references of its block table
	Row                         // the worker's row: the next plan tells the worker to clear it
	Quota                       // its place in the tenant's quota
	Life                        // its generation: late messages about it change nothing any more
)

// Transition is one line of the lifecycle.
type Transition struct {
	From    State
	On      On
	To      State
	Release Resource
}

// Lifecycle is the whole life of a request. The scheduler follows it: what is not here cannot happen, and the
// resources named here are released by the one function that makes a transition (Scheduler.move).
// Cancellation is legal in every live state.
var Lifecycle = []Transition{
	{Absent, OnSubmit, Waiting, 0},

	{Waiting, OnAdmit, Prefill, 0},
	{Waiting, OnCopy, Loading, 0},
	{Waiting, OnCancel, Ended, Quota | Life},

	{Loading, OnCopied, Loaded, 0},
	{Loading, OnLost, Preempted, Blocks | Life},
	{Loading, OnPreempt, Preempted, Blocks | Life},
	{Loading, OnCancel, Ended, Blocks | Quota | Life},

	{Loaded, OnAdmit, Prefill, 0},
	{Loaded, OnPreempt, Preempted, Blocks | Life},
	{Loaded, OnCancel, Ended, Blocks | Quota | Life},

	{Prefill, OnChunk, Prefill, 0},
	{Prefill, OnToken, Decode, 0},
	{Prefill, OnStop, Ended, Blocks | Row | Quota | Life},
	{Prefill, OnLength, Ended, Blocks | Row | Quota | Life},
	{Prefill, OnCancel, Ended, Blocks | Row | Quota | Life},
	{Prefill, OnPreempt, Preempted, Blocks | Row | Life},
	{Prefill, OnRequeue, Preempted, Blocks | Life},
	{Prefill, OnRefuse, Ended, Blocks | Quota | Life},
	{Prefill, OnLost, Preempted, Blocks | Row | Life},

	{Decode, OnToken, Decode, 0},
	{Decode, OnStop, Ended, Blocks | Row | Quota | Life},
	{Decode, OnLength, Ended, Blocks | Row | Quota | Life},
	{Decode, OnCancel, Ended, Blocks | Row | Quota | Life},
	{Decode, OnPreempt, Preempted, Blocks | Row | Life},
	{Decode, OnRequeue, Preempted, Blocks | Life},
	{Decode, OnRefuse, Ended, Blocks | Quota | Life},
	{Decode, OnLost, Preempted, Blocks | Row | Life},

	{Preempted, OnAdmit, Prefill, 0},
	{Preempted, OnCopy, Loading, 0},
	{Preempted, OnToken, Preempted, 0}, // a token that was in flight when it was preempted
	{Preempted, OnStop, Ended, Quota | Life},
	{Preempted, OnLength, Ended, Quota | Life},
	{Preempted, OnCancel, Ended, Quota | Life},
}

// lifecycle is Lifecycle by state and event; To is Absent where there is no transition.
var lifecycle = func() (t [NumStates][NumOns]Transition) {
	for _, x := range Lifecycle {
		t[x.From][x.On] = x
	}
	return t
}()

// again are the states in which a request has lost its blocks, and waits to compute everything again.
var again = func() (states [NumStates]bool) {
	for _, t := range Lifecycle {
		if t.Release&Blocks != 0 && t.To != Ended {
			states[t.To] = true
		}
	}
	return states
}()

// Waits tells whether a request in this state waits for its first blocks, or for blocks again.
func (s State) Waits() bool { return s == Waiting || again[s] }

// Fact is the event in the words that every engine has.
func (o On) Fact() (cache.LifeKind, cache.Cause) { return facts[o].kind, facts[o].why }

var facts = [NumOns]struct {
	kind cache.LifeKind
	why  cache.Cause
}{
	OnSubmit:  {cache.Accepted, cache.NoCause},
	OnCopy:    {cache.Loading, cache.NoCause},
	OnCopied:  {cache.Loaded, cache.NoCause},
	OnAdmit:   {cache.Running, cache.NoCause},
	OnChunk:   {cache.Advanced, cache.ByChunk},
	OnToken:   {cache.Advanced, cache.ByToken},
	OnStop:    {cache.Ended, cache.ByStop},
	OnLength:  {cache.Ended, cache.ByLength},
	OnCancel:  {cache.Ended, cache.ByCancel},
	OnPreempt: {cache.LostBlocks, cache.ByPreempt},
	OnRequeue: {cache.LostBlocks, cache.ByRefusal},
	OnRefuse:  {cache.Ended, cache.ByRefusal},
	OnLost:    {cache.LostBlocks, cache.ByLoss},
}

// Diagram draws the lifecycle as a Mermaid state diagram.
func Diagram() string {
	var b strings.Builder
	b.WriteString("stateDiagram-v2\n")
	for _, t := range Lifecycle {
		fmt.Fprintf(&b, "    %s --> %s: %s%s\n", node(t.From), node(t.To), t.On, released(t.Release))
	}
	return b.String()
}

func node(s State) string {
	if s == Absent || s == Ended {
		return "[*]"
	}
	return s.String()
}

func released(r Resource) string {
	var words []string
	for i, name := range []string{"blocks", "row", "quota", "life"} {
		if r&(1<<i) != 0 {
			words = append(words, name)
		}
	}
	if words == nil {
		return ""
	}
	return " (releases " + strings.Join(words, ", ") + ")"
}
