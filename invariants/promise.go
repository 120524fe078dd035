package invariants

import (
	"fmt"

	"custody/cache"
)

// Observation is one observed fact, for promises that users bring.
type Observation struct {
	Kind  ObservationKind
	Step  int64
	Req   cache.Req
	Op    cache.OpID
	Block cache.BlockID
	Layer int
	Run   cache.Run
	A, B  int64 // by kind: see FactKind
}

// ObservationKind is the kind of an observed fact.
type ObservationKind uint8

// The facts. A and B are given where they mean something.
const (
	SawBlock     ObservationKind = iota // A: cache.BlockKind
	SawRead                             // Layer, Run
	SawWrite                            // Layer, Run
	SawCopy                             // A: from, B: to
	SawOp                               // A: cache.OpKind, B: queue
	SawSampled                          // A: position, B: token
	SawRow                              // A: cache.RowKind, B: row
	SawLife                             // A: cache.LifeKind, B: cache.Cause
	SawSubmitted                        // A: client
	SawDelivered                        // A: client, B: token
	SawEnded                            // A: client, B: End
)

// Promise is an invariant that a user brings. It is told the facts of FactKind, after the ledger has taken them in.
type Promise interface {
	ID() string
	Statement() string
	Reset() // to its first state: one promise sees many runs
	See(l *Ledger, f *Observation, breach func(message string))
	Audit(l *Ledger, breach func(message string)) // at quiescence
}

// guestBook is the promises that users have brought.
type guestBook struct {
	list   []Promise
	broken []bool
}

func newGuestBook(list []Promise) guestBook {
	return guestBook{list: list, broken: make([]bool, len(list))}
}

func (k *guestBook) any() bool { return k.list != nil }

func (k *guestBook) reset() {
	clear(k.broken)
	for _, p := range k.list {
		p.Reset()
	}
}

// dispatch passes a fact to them.
func (k *guestBook) dispatch(l *Ledger, f Observation) {
	f.Step = l.step
	for i, p := range k.list {
		k.guard(l, i, func(breach func(string)) { p.See(l, &f, breach) })
	}
}

// audit lets them look when the world is at rest.
func (k *guestBook) audit(l *Ledger) {
	for i, p := range k.list {
		k.guard(l, i, func(breach func(string)) { p.Audit(l, breach) })
	}
}

// guard lets a user's promise look. One that panics is broken itself: the engine is not to blame.
func (k *guestBook) guard(l *Ledger, i int, look func(breach func(string))) {
	breach := func(message string) { k.breach(l, i, message) }
	defer func() {
		if err := recover(); err != nil {
			breach(fmt.Sprint("the promise panicked: ", err))
		}
	}()
	look(breach)
}

func (k *guestBook) breach(l *Ledger, i int, message string) {
	if k.broken[i] {
		return
	}
	k.broken[i] = true
	b := plain(NumPromises, -1, message)
	b.Extra, b.Step, b.Event = i+1, l.step, l.event
	l.breaches = append(l.breaches, b)
}
