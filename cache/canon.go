package cache

import (
	"math"
	"math/bits"
	"slices"
)

// Canon is a state of an engine, written down so that states with the same future become the same words.
//
//	scheduler, pool, worker ──Canon──▶ words: lives, blocks, tenants by the order of their first use
//	                                     │
//	                                     ▼
//	                                  128-bit sum: equal sums, equal futures (up to those names)
//
// Only what decides the future is written: no clock, no counter, no name for people, nothing of what has been. The parts
// of an engine add theirs to one form, the scheduler first: it knows the order in which requests are to be named, and which
// operations are outstanding. KV memory itself stays out: what a correct engine reads follows from tokens and identity.
type Canon struct {
	words []uint64
	names [numNamed]names
	lives []Req  // in the order of first use
	ops   []OpID // outstanding, in the order of issue
}

// named is what is called by numbers that mean nothing in themselves.
type named uint8

const (
	aBlock  named = iota // of KV memory
	aTenant              // who has a quota
	aDomain              // who may share
	aName                // that a client has given to its request
	numNamed
)

// names are the members of a kind that a form has met.
type names struct {
	kept   bool    // they keep their numbers
	met    []int32 // numbers, in the order of first use
	place  []int32 // by number: its place in met; means something where the mark is the present one
	marks  []uint32
	resets uint32 // the present mark is one more
}

// Reset empties the form and keeps its room.
func (c *Canon) Reset() {
	c.words, c.lives, c.ops = c.words[:0], c.lives[:0], c.ops[:0]
	for k := range c.names {
		c.names[k].reset()
	}
}

func (n *names) reset() {
	n.kept, n.met = false, n.met[:0]
	n.resets++
	if n.resets == math.MaxUint32 {
		clear(n.marks)
		n.resets = 0
	}
}

// Word appends a word.
func (c *Canon) Word(w uint64) { c.words = append(c.words, w) }

// Int appends a number.
func (c *Canon) Int(n int32) { c.Word(uint64(uint32(n))) }

// Bool appends a truth value.
func (c *Canon) Bool(b bool) {
	if b {
		c.Word(1)
	} else {
		c.Word(0)
	}
}

// Tokens appends tokens, which are what they are.
func (c *Canon) Tokens(list []Token) {
	c.Int(int32(len(list)))
	for _, t := range list {
		c.Int(int32(t))
	}
}

// Sampling appends how tokens are drawn.
func (c *Canon) Sampling(s Sampling) {
	c.Word(s.Seed)
	c.Word(uint64(math.Float32bits(s.Temp))<<32 | uint64(math.Float32bits(s.TopP)))
	c.Int(s.TopK)
}

// Identity appends an identity, its domain by name.
func (c *Canon) Identity(id Identity) {
	c.name(aDomain, int32(id.Domain))
	c.Word(uint64(id.Adapter)<<32 | uint64(id.Epoch))
	c.Word(uint64(id.Layout))
}

// Req appends a life of a request by name. Two lives of one slot have nothing in common; where they have, whoever knows it
// says so.
func (c *Canon) Req(r Req) {
	at := slices.Index(c.lives, r)
	if at < 0 {
		at = len(c.lives)
		c.lives = append(c.lives, r)
	}
	c.Int(int32(at))
}

// Lives returns the lives that have been named, in that order; valid until the next one is.
func (c *Canon) Lives() []Req { return c.lives }

// Block appends a block by name; None is none.
func (c *Canon) Block(b BlockID) { c.name(aBlock, int32(b)) }

// Tenant appends a tenant by name.
func (c *Canon) Tenant(tenant int32) { c.name(aTenant, tenant) }

// Name appends a client's name for its request, by a name of the form's own.
func (c *Canon) Name(name uint32) { c.name(aName, int32(name)) }

// Table appends a block table.
func (c *Canon) Table(table []BlockID) {
	c.Int(int32(len(table)))
	for _, b := range table {
		c.Block(b)
	}
}

// KeepTenants makes tenants and domains keep their numbers: cached content is found under a key that means its domain.
func (c *Canon) KeepTenants() { c.names[aTenant].kept, c.names[aDomain].kept = true, true }

// keepBlocks makes blocks keep their numbers.
func (c *Canon) keepBlocks() { c.names[aBlock].kept = true }

// KeepNames makes clients' names keep their numbers: the future is to speak of them.
func (c *Canon) KeepNames() { c.names[aName].kept = true }

// Tenants returns the tenants that have been named, in that order; valid until the next one is.
func (c *Canon) Tenants() []int32 { return c.names[aTenant].met }

// name appends a name, counted from 1; 0 is nobody's.
func (c *Canon) name(k named, number int32) {
	switch {
	case number < 0:
		c.Word(0)
	case c.names[k].kept:
		c.names[k].meet(number)
		c.Int(number + 1)
	default:
		c.Int(c.names[k].meet(number) + 1)
	}
}

// meet returns a number's place among those that have been met.
func (n *names) meet(number int32) int32 {
	for int(number) >= len(n.marks) {
		n.place, n.marks = append(n.place, 0), append(n.marks, 0)
	}
	if !n.has(number) {
		n.marks[number], n.place[number] = n.resets+1, int32(len(n.met))
		n.met = append(n.met, number)
	}
	return n.place[number]
}

func (n *names) has(number int32) bool {
	return int(number) < len(n.marks) && n.marks[number] == n.resets+1
}

// Outstanding notes an operation that is under way. They are noted in the order of issue, before any is appended.
func (c *Canon) Outstanding(op OpID) { c.ops = append(c.ops, op) }

// IsOutstanding tells whether an operation is under way.
func (c *Canon) IsOutstanding(op OpID) bool { return slices.Contains(c.ops, op) }

// Op appends an operation by its place among those that are outstanding. Of any other it only matters between which of
// them it stands.
func (c *Canon) Op(op OpID) {
	place := uint64(0)
	for _, x := range c.ops {
		switch {
		case x < op:
			place += 2
		case x == op:
			place++
		}
	}
	c.Word(place)
}

// Words returns what has been written; valid until more is.
func (c *Canon) Words() []uint64 { return c.words }

// Sum is a digest of what has been written. It is no defence against somebody who looks for two states of one sum.
func (c *Canon) Sum() [2]uint64 {
	a, b := uint64(len(c.words)), uint64(0x9e3779b97f4a7c15)
	for _, w := range c.words {
		a = joined(a^w, 0xa0761d6478bd642f)
		b = joined(b+w, 0xe7037ed1a0b428db) ^ w
	}
	return [2]uint64{joined(a^b, 0x8ebc6af09c88c6e3), joined(b, 0x589965cc75374cc3) ^ a}
}

// joined multiplies, and joins the halves of the product and the factor.
func joined(x, k uint64) uint64 {
	hi, lo := bits.Mul64(x^k, k)
	return hi ^ lo ^ bits.RotateLeft64(x, 32)
}
