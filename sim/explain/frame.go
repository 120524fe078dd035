package explain

import (
	"custody/cache"
	"custody/invariants"
	"custody/sim"
)

// Frame is the state of the world after one step, in plain data for people. What a block holds and who answers for it is
// what the ledger saw; the fields that say so are the engine's own view.
type Frame struct {
	Step       int64 // 0: before the first step
	Time       sim.Time
	Kind       string   // of the step; "" for step 0
	Line       int      // index of the script event that the step stands under; -1: before the first
	Notes      []string // the step in words
	Blocks     []BlockFrame
	Requests   []RequestFrame // in the order of submission
	Rows       []RowFrame
	Waiting    []sim.Party     // the engine's own queue, the next one first
	Running    []sim.Party     // the engine's own list, in the order of admission
	Free       []cache.BlockID // the engine's own list, the next to be handed out first
	Operations []OperationFrame
	Mail       []MailFrame // on its way to clients
	Breaches   []BreachFrame
	Touches    []Touch // what the step did to blocks, in order
}

// BlockFrame is one block.
type BlockFrame struct {
	Held      bool
	Holders   []sim.Party // whose tables it is in
	Leaving   int32       // references that wait for an outstanding operation to end
	Findable  bool
	Publisher sim.Party  // of a findable block
	Pending   cache.OpID // the pass that is still to write what it is filed for, or 0
	Spans     []Span     // its slots, in order
}

// Span is a run of slots that hold the same thing.
type Span struct {
	Lo, Hi int32
	State  invariants.SlotState
	Writer sim.Party // known if somebody's tokens are there
	Torn   bool      // the layers differ: this is the last one
}

// RequestFrame is one submission.
type RequestFrame struct {
	sim.Party
	State     string // of the lifecycle; "turned away", or "ending" while its client has not heard of its end
	Prompt    int32  // tokens
	Delivered int32  // tokens that the engine has sent to its client
	Planned   int32  // the engine's own count of positions
	Settled   int32  // the engine's own count of positions
	Valid     int32  // leading positions that the ledger knows to be good
	Table     []cache.BlockID
	Row       int32 // of the worker, or -1
	Live      bool  // it has not ended
}

// RowFrame is one row of the worker: who it is bound to is what the ledger saw, what it holds the worker's own view.
type RowFrame struct {
	Bound    bool
	Party    sim.Party // bound to
	Computed int32
	Table    []cache.BlockID
}

// OperationFrame is an operation that has been issued and has not settled.
type OperationFrame struct {
	Op       cache.OpID
	Queue    string
	Rows     []sim.Party
	Due      sim.Time
	Finished bool
	Lost     bool
}

// MailFrame is a token or an end on its way to a client.
type MailFrame struct {
	To   sim.Party
	Text string
	Due  sim.Time
}

// BreachFrame is a broken promise.
type BreachFrame struct {
	Promise string
	Step    int64
	Message string
	By      []string // the requests involved, the reader first
}

// Touch is one thing that a step did to a block.
type Touch struct {
	Block cache.BlockID
	What  string    // "writes [0,4)": a verb, with the slots of the block that it concerns
	By    sim.Party // whose doing it is; unknown: no request's
}
