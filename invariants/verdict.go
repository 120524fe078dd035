package invariants

import (
	"cmp"
	"fmt"
	"slices"

	"custody/cache"
)

// ID numbers the built-in promises, in the order in which breaches of one step are reported. A user's promises follow.
type ID uint8

// The promises.
const (
	Tenant ID = iota
	Content
	Written
	Key
	Publish
	Row
	Count
	Inflight
	Owner
	Once
	Route
	Solo
	Marker
	Agreed
	Limits
	Order
	Atomic
	Reuse
	Mirror
	Drain
	Progress
	Alive
	NumPromises
)

// Statement is a promise as a reviewer reads it.
type Statement struct {
	ID       ID
	Name     string // stable: stands in traces, messages and documents
	Sentence string
	Unit     string // what one check is
}

// Statements lists the built-in promises, by ID. Each one's file says how it is checked.
var Statements = [NumPromises]Statement{
	Tenant: tenantStatement, Content: contentStatement, Written: writtenStatement, Key: keyStatement,
	Publish: publishStatement, Row: rowStatement, Count: countStatement, Inflight: inflightStatement,
	Owner: ownerStatement, Once: onceStatement, Route: routeStatement, Solo: soloStatement, Marker: markerStatement, Agreed: configStatement, Limits: limitsStatement, Order: orderStatement, Atomic: atomicStatement, Reuse: reuseStatement, Mirror: mirrorStatement, Drain: drainStatement,
	Progress: progressStatement, Alive: aliveStatement,
}

// Relation is how the reader of a slot stands to its writer.
type Relation uint8

// The relations.
const (
	RelNone    Relation = iota
	RelSelf             // the same life
	RelEarlier          // an earlier life of the same request
	RelDomain           // another request of the same isolation domain
	RelOther            // another isolation domain
)

var relationNames = [...]string{"none", "self", "earlier-life", "same-domain", "other-domain"}

func (r Relation) String() string { return relationNames[r] }

// SlotState is what a slot holds.
type SlotState uint8

// The states.
const (
	SlotUnwritten SlotState = iota // never written since the start
	SlotWritten                    // written; internal: reported as live or stale
	SlotPoisoned
	SlotStale // written for an earlier holder of the block
	SlotNone  // no slot is meant
)

var slotNames = [...]string{"unwritten", "live", "poisoned", "stale", "none"}

func (s SlotState) String() string { return slotNames[s] }

// Breach is the first failure of one promise.
type Breach struct {
	Promise  ID
	Extra    int // index of a user's promise, from 1; 0 for a built-in one
	Step     int64
	Event    uint8 // kind of the step's event
	Relation Relation
	Slot     SlotState
	Reader   int32 // client, or -1
	Writer   int32 // client, or -1
	Op       cache.OpID
	Block    cache.BlockID
	Layer    int32
	Pos      int32 // position, or -1
	Detail   string
}

// verdict collects checks and breaches.
type verdict struct {
	checks   [NumPromises]int64
	broken   [NumPromises]bool
	extraBad []bool
	breaches []Breach
}

func (v *verdict) init(extra []Promise) { v.extraBad = make([]bool, len(extra)) }

func (v *verdict) reset() {
	v.checks, v.broken, v.breaches = [NumPromises]int64{}, [NumPromises]bool{}, v.breaches[:0]
	clear(v.extraBad)
}

// Checks returns how often a promise has been checked, in its unit. One look at a slot checks three.
func (l *Ledger) Checks(id ID) int64 {
	if id == Tenant || id == Written {
		id = Content
	}
	return l.checks[id]
}

// Broken tells whether any promise has been broken.
func (l *Ledger) Broken() bool { return len(l.breaches) > 0 }

// Breaches returns the first breach of every broken promise: by step, and within a step in the order of the IDs.
func (l *Ledger) Breaches() []Breach {
	slices.SortStableFunc(l.breaches, func(a, b Breach) int {
		return cmp.Or(cmp.Compare(a.Step, b.Step), cmp.Compare(a.Promise, b.Promise))
	})
	return l.breaches
}

// breach records the first failure of a promise.
func (l *Ledger) breach(b Breach) {
	if l.broken[b.Promise] {
		return
	}
	l.broken[b.Promise] = true
	b.Step, b.Event = l.step, l.event
	l.breaches = append(l.breaches, b)
}

// plain is a breach that is not about a slot.
func plain(id ID, client int32, detail string) Breach {
	return Breach{Promise: id, Slot: SlotNone, Reader: client, Writer: -1, Block: cache.None, Pos: -1, Detail: detail}
}

// blamed is a breach about a block.
func blamed(id ID, client int32, b cache.BlockID, detail string) Breach {
	x := plain(id, client, detail)
	x.Block = b
	return x
}

// who is the client of a request, or -1.
func (l *Ledger) who(r cache.Req) int32 {
	if x := &l.lives[r.Slot]; int(x.client) < len(l.clients) {
		return x.client
	}
	return -1
}

// tell passes a fact to the user's promises.
func (l *Ledger) tell(e Event) {
	e.Step = l.step
	for i, p := range l.extra {
		l.guard(i, func() { p.See(l, &e, func(message string) { l.breachExtra(i, message) }) })
	}
}

// guard lets a user's promise look. One that panics is broken itself: the engine is not to blame.
func (l *Ledger) guard(i int, look func()) {
	defer func() {
		if err := recover(); err != nil {
			l.breachExtra(i, fmt.Sprint("the promise panicked: ", err))
		}
	}()
	look()
}

func (l *Ledger) breachExtra(i int, message string) {
	if l.extraBad[i] {
		return
	}
	l.extraBad[i] = true
	b := plain(NumPromises, -1, message)
	b.Extra, b.Step, b.Event = i+1, l.step, l.event
	l.breaches = append(l.breaches, b)
}
