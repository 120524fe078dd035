package invariants

import "custody/cache"

// Event is one observed fact, for promises that users bring.
type Event struct {
	Kind  EventKind
	Step  int64
	Req   cache.Req
	Op    cache.OpID
	Block cache.BlockID
	Layer int
	Run   cache.Run
	A, B  int64 // by kind: see EventKind
}

// EventKind is the kind of an observed fact.
type EventKind uint8

// The facts. A and B are given where they mean something.
const (
	SawBlock     EventKind = iota // A: cache.BlockKind
	SawRead                       // Layer, Run
	SawWrite                      // Layer, Run
	SawCopy                       // A: from, B: to
	SawOp                         // A: cache.OpKind, B: queue
	SawSampled                    // A: position, B: token
	SawRow                        // A: cache.RowKind, B: row
	SawLife                       // A: cache.LifeKind, B: cache.Cause
	SawSubmitted                  // A: client
	SawDelivered                  // A: client, B: token
	SawTold                       // A: client, B: End
)

// Promise is an invariant that a user brings. It is told the facts of EventKind, after the ledger has taken them in.
type Promise interface {
	ID() string
	Statement() string
	Reset() // to its first state: one promise sees many runs
	See(l *Ledger, e *Event, breach func(message string))
	Audit(l *Ledger, breach func(message string)) // at quiescence
}
