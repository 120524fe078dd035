package invariants

import (
	"cmp"
	"slices"

	"custody/cache"
)

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

// verdict collects checks, breaches and marks.
type verdict struct {
	checks   [NumPromises]int64
	broken   [NumPromises]bool
	unseen   [NumPromises]bool // the engine hides what it takes to check it
	breaches []Breach
	marks    [NumMarks]bool
	step     int64
	event    uint8 // kind of the step's event
}

func newVerdict(h Hidden) (v verdict) {
	for i := range Statements {
		v.unseen[i] = Statements[i].Needs&h != 0
	}
	return v
}

func (v *verdict) reset() { *v = verdict{breaches: v.breaches[:0], unseen: v.unseen} }

func (v *verdict) cloneInto(dst *verdict) {
	breaches := append(dst.breaches[:0], v.breaches...)
	*dst = *v
	dst.breaches = breaches
}

// Unchecked tells whether nothing can be said about a promise: the engine hides what it takes.
func (v *verdict) Unchecked(id ID) bool { return v.unseen[id] }

// Checks returns how often a promise has been checked, in its unit. One look at a slot checks three.
func (v *verdict) Checks(id ID) int64 {
	if v.unseen[id] {
		return 0
	}
	if id == Tenant || id == Written {
		id = Content
	}
	return v.checks[id]
}

// Broken tells whether any promise has been broken.
func (v *verdict) Broken() bool { return len(v.breaches) > 0 }

// Breaches returns the first breach of every broken promise: by step, and within a step in the order of the IDs.
func (v *verdict) Breaches() []Breach {
	slices.SortStableFunc(v.breaches, func(a, b Breach) int {
		return cmp.Or(cmp.Compare(a.Step, b.Step), cmp.Compare(a.Promise, b.Promise))
	})
	return v.breaches
}

// breach records the first failure of a promise.
func (v *verdict) breach(b Breach) {
	if v.broken[b.Promise] || v.unseen[b.Promise] {
		return
	}
	v.broken[b.Promise] = true
	b.Step, b.Event = v.step, v.event
	v.breaches = append(v.breaches, b)
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
