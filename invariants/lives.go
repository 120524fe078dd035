package invariants

import "custody/cache"

// lifeBook is where the requests of the engine's table stand, and which lives there have been: slots of the table and
// numbers of clients are used again, and what a life has written stays.
type lifeBook struct {
	present []presentLife // by slot of the request table
	known   []knownLife   // by number, modulo knownLives
	born    uint32        // lives so far
}

// presentLife is the present or the last life of one slot of the request table.
type presentLife struct {
	client  int32
	gen     uint32
	number  uint32
	phase   phase
	valid   int32 // leading positions whose slots are valid for it
	sampled int32 // tokens sampled for this life that have not settled
	earlier int32 // the same for the life before
	taken   int32 // tokens that have settled, in all lives of the request
	looked  int32 // the most blocks that could be found when it was denied admission
}

// knownLife is a life as those know it who meet what it has left behind.
type knownLife struct {
	number     uint32
	client     int32
	submission uint32 // by number
	domain     uint32
	gen        uint32
}

// knownLives is how many lives are remembered, a power of two. What an older one wrote is still known to be wrong where it
// is wrong, but not whose it was.
const knownLives = 1 << 16

func newLifeBook(slots int32) lifeBook { return lifeBook{present: make([]presentLife, slots)} }

func (k *lifeBook) reset() {
	clear(k.present)
	k.born = 0
}

func (k *lifeBook) cloneInto(dst *lifeBook) {
	copy(dst.present, k.present)
	dst.known, dst.born = append(dst.known[:0], k.known...), k.born
}

// current is the slot's life if the request is its present one, else nil.
func (k *lifeBook) current(r cache.Req) *presentLife {
	if x := &k.present[r.Slot]; x.is(r.Gen) {
		return x
	}
	return nil
}

// is tells whether a life is not over and has that generation.
func (x *presentLife) is(gen uint32) bool { return x.phase != over && x.gen == gen }

// isLive tells whether an account's request is still in the engine's table.
func (k *lifeBook) isLive(a *account) bool {
	return a.slot >= 0 && k.present[a.slot].phase != over && k.present[a.slot].client == a.client
}

// begin numbers a life of an account's request.
func (k *lifeBook) begin(a *account, gen uint32) uint32 {
	k.born++
	for len(k.known) <= int(k.born%knownLives) {
		k.known = append(k.known, knownLife{})
	}
	k.known[k.born%knownLives] = knownLife{k.born, a.client, a.submission, a.id.Domain, gen}
	return k.born
}

// recall is the life of a number, or nil if it is forgotten.
func (k *lifeBook) recall(number uint32) *knownLife {
	if x := &k.known[number%knownLives]; x.number == number {
		return x
	}
	return nil
}

// numberOf is the number of a life of a submission. Lives of one request are numbered one after the other only as long as
// no other begins between them, so an earlier one is looked for backwards.
func (k *lifeBook) numberOf(r cache.Req, submission uint32) uint32 {
	x := &k.present[r.Slot]
	if x.is(r.Gen) {
		return x.number
	}
	for n := x.number; n > 0 && x.number-n < knownLives; n-- {
		if y := k.recall(n); y != nil && y.submission == submission && y.gen == r.Gen {
			return n
		}
	}
	return x.number
}

// unsettled counts the tokens that were sampled for the life that the request's next token is of: while it waits, that is
// the life before.
func (x *presentLife) unsettled() *int32 {
	if x.phase == waiting {
		return &x.earlier
	}
	return &x.sampled
}

// phase is where a request stands. The ledger keeps no more of an engine's states than this.
type phase uint8

const (
	over phase = iota // it has ended, or there is none
	waiting
	loading // it has blocks; one of them is being filled
	loaded  // it has blocks, and waits for a row
	running
)

// after is the phase that a fact leads to.
func (p phase) after(k cache.LifeKind) phase {
	switch k {
	case cache.Accepted, cache.LostBlocks:
		return waiting
	case cache.Loading:
		return loading
	case cache.Loaded:
		return loaded
	case cache.Running:
		return running
	case cache.Ended:
		return over
	}
	return p
}

// allows tells whether something can happen to a request in this phase. A token may settle while it waits again.
func (p phase) allows(k cache.LifeKind, why cache.Cause) bool {
	switch k {
	case cache.Loading:
		return p == waiting
	case cache.Loaded:
		return p == loading
	case cache.Running:
		return p == waiting || p == loaded
	case cache.Advanced:
		return p == running || (p == waiting && why == cache.ByToken)
	case cache.LostBlocks:
		return p == loading || p == loaded || p == running
	}
	return k == cache.Ended && p != over
}

// waits is 1 for a request that waits, else 0.
func (p phase) waits() int32 {
	if p == waiting {
		return 1
	}
	return 0
}

// givesToken tells whether an output token settles.
func givesToken(why cache.Cause) bool {
	return why == cache.ByToken || why == cache.ByStop || why == cache.ByLength
}
