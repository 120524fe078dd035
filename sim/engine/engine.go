// Package engine is the seam between a world and what is tested in it: the interfaces that an engine and a worker offer, and
// what they are told and claim when they meet.
//
//	           Submit, Cancel, ResetPrefix               Issue
//	clients ──────────────────────────────▶ Engine ─Plan─────────▶ Worker ──▶ KV memory
//	        ◀────────────────────────────────  ▲                      │
//	           Outputs                         └────── Settle ────────┘ Finish
//
// An Engine is the scheduler and cache manager of one instance, whoever wrote it: inputs in, plans and outputs out. It has
// no clock and makes no threads. A Worker carries plans out on KV memory, one for each dialect of plans. The world asks
// both, and decides when everything happens. Package local is Custody's own pair.
package engine

import (
	"custody/cache"
	"custody/scheduler"
	"custody/scheduler/protocol"
)

// Time is virtual time in ticks. One tick is about what a pass needs for one token.
type Time int64

// Engine is an engine under test. Its methods are called one after the other, never from two goroutines.
type Engine interface {
	// Hello begins a run: the engine is as new afterwards, whatever it did before. It says what it claims of itself, or
	// why it cannot run with that setup.
	Hello(Setup) (Claims, error)
	// Submit takes a request in, and names its first life, or says why it is turned away.
	Submit(now Time, s *protocol.Spec) (cache.Req, protocol.Reason)
	// Cancel ends a request whose client went away; false if it does not live (any more).
	Cancel(cache.Req) bool
	// ResetPrefix drops the prefix cache. Without force it is refused (false) while anything is held.
	ResetPrefix(force bool) bool
	// Plan writes the next operation into dst, or reports that there is none to issue now. Plans may be empty.
	Plan(dst *protocol.Plan) bool
	// Settle takes in the result of an operation. Results of one queue come in the order of issue.
	Settle(*protocol.Result)
	// Outputs are the messages for clients since the last call; valid until the next call of any method.
	Outputs() []protocol.Output
	// More tells whether another call of Plan may succeed although nothing else has happened.
	More() bool
	// View tells where a request stands.
	View(cache.Req) View
	// Attach sets who is told the facts that the engine reveals, in order of happening; nil: nobody. It comes after the first
	// Hello, and holds for the runs that later ones begin.
	Attach(cache.Observer)
}

// View is where a request stands: its state, and its present life.
type View struct {
	State scheduler.State
	Life  cache.Req
}

// Worker carries plans out. Operations of one queue are finished in the order of their issue.
type Worker interface {
	// Issue takes a plan in: rows are bound, extended and cleared. It returns the rows that it refuses; valid until the
	// next call.
	Issue(*protocol.Plan) []protocol.Refusal
	// Finish computes an issued operation: memory is touched. It reports false if the operation is lost instead.
	Finish(cache.OpID, *protocol.Result) bool
	// Drop forgets an issued operation, if it is there: it failed, and will not touch memory.
	Drop(cache.OpID)
	// Attach sets who is told what it reads, writes and computes with; nil: nobody.
	Attach(cache.Observer)
	// Reset returns it to its first state.
	Reset()
}
