package invariants

import (
	"slices"
	"strings"

	"custody/cache"
)

// Config says what the ledger watches.
type Config struct {
	Shape   Shape
	Bounds  Bounds
	Claims  Claims
	Parties Parties
}

// Shape is the size of things.
type Shape struct {
	Blocks, BlockTokens, Layers int32 // of KV memory
	Slots                       int32 // of the engine's request table
	Rows                        int32 // of the worker
}

// Bounds are the limits that clients were told.
type Bounds struct {
	MaxLen   int32   // tokens a request, prompt and output
	MaxQueue int32   // waiting requests
	Vocab    int32   // tokens are below
	Budget   int32   // tokens a pass
	MaxRows  int32   // running requests
	Quotas   []int32 // by tenant: live requests; 0 is no limit
}

// Claims are what the engine says of itself.
type Claims struct {
	Prefix    bool // the prefix cache is on
	Order     QueueOrder
	TwoQueues bool // operations may be issued on more than one queue
	LiveTable bool // a pass reads through the table that its request has when it is finished, not when it was issued
	Hides     Hidden

	NullBlocks int32 // blocks that nobody is ever given
}

// Hidden is a set of what an engine does not show. Plans, block numbers, results and outputs it cannot hide: they are what
// its worker and its clients live by.
type Hidden uint8

// What an engine may not show. Each promise says in its statement what it cannot do without.
const (
	HidesFacts    Hidden = 1 << iota // what happens inside it, in order
	HidesPolicies                    // when a block can be found by others: it does not even claim anything
	HidesRest                        // what it holds when nothing is live
	HidesStream                      // what its prefix cache stores and forgets
)

// String says in words what is not shown.
func (h Hidden) String() string {
	var words []string
	for i, word := range []string{"its facts", "its policies", "what it holds at rest", "its KV events"} {
		if h&(1<<i) != 0 {
			words = append(words, word)
		}
	}
	return strings.Join(words, " and ")
}

// Parties are who is there beside the engine.
type Parties struct {
	Layouts  [][]int64       // of all that write, read or index the KV: the layout fields, in one order
	Stricter bool            // a limit of the worker is below the scheduler's: it may refuse
	NoWorker bool            // the handshake failed
	Markers  [][]cache.Token // by tenant: what no other tenant may be told; may be shorter, and hold nil
	Alone    Alone           // what a request gets alone; nil: the hash model's answer, which the ledger follows itself
}

// foreign tells whether the parties' layouts differ in a field.
func (p *Parties) foreign() bool {
	return slices.ContainsFunc(p.Layouts, func(l []int64) bool { return !slices.Equal(l, p.Layouts[0]) })
}
