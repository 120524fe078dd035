package invariants

import "custody/cache"

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

// life is the ledger's view of one slot of the request table.
type life struct {
	client  int32
	gen     uint32
	writer  uint32 // its number as a writer
	phase   phase
	live    bool
	holds   int32 // blocks in its table
	valid   int32 // leading positions whose slots are valid for it
	sampled int32 // tokens sampled for this life that have not settled
	earlier int32 // the same for the life before
	taken   int32 // tokens that have settled, in all lives of the request
	looked  int32 // the most blocks that could be found when it was denied admission
}

// Life implements cache.Observer.
func (l *Ledger) Life(r cache.Req, k cache.LifeKind, why cache.Cause) {
	l.checkLife(r, k, why)
	l.markTaken(r, why)
	l.move(r, k, why)
	if l.extra != nil {
		l.tell(Event{Kind: SawLife, Req: r, A: int64(k), B: int64(why)})
	}
}

// move follows a request through its life: blocks and counts belong to one generation.
func (l *Ledger) move(r cache.Req, k cache.LifeKind, why cache.Cause) {
	x := &l.lives[r.Slot]
	if k == cache.Accepted {
		l.accept(r, x)
	}
	if givesToken(why) {
		x.taken++
		*x.unsettled()--
	}
	from, to := x.phase, x.phase.after(k)
	l.follow(r, from, to, why)
	l.queued += waits(to) - waits(from)
	x.phase = to
	switch k {
	case cache.Ended:
		l.emptyTable(r.Slot)
		x.live, x.gen = false, r.Gen+1
		l.countTenant(l.clients[x.client].tenant, -1)
	case cache.LostBlocks:
		x.earlier, x.sampled = x.sampled, 0
		l.emptyTable(r.Slot)
		x.gen, x.valid = r.Gen+1, 0
		x.writer = l.newWriter(x.client, x.gen)
	}
}

// accept takes in that the submission at the door has become a request.
func (l *Ledger) accept(r cache.Req, x *life) {
	c := &l.clients[l.offered]
	l.checkAccepted(c)
	l.checkHopeful(c)
	*x = life{client: l.offered, gen: r.Gen, live: true, writer: l.newWriter(l.offered, r.Gen)}
	c.slot = r.Slot
	l.countTenant(c.tenant, 1)
}

// emptyTable takes in that a life has lost its table: its references end, now or when outstanding operations have.
func (l *Ledger) emptyTable(s int32) {
	for _, h := range l.table(s) {
		l.blocks[h.block].tabled--
	}
	l.leaving += l.lives[s].holds
	l.lives[s].holds = 0
}

// countTenant counts live requests. One of a tenant that the engine should not know counts nowhere.
func (l *Ledger) countTenant(tenant, by int32) {
	if tenant >= 0 && int(tenant) < len(l.tenants) {
		l.tenants[tenant] += by
	}
}

func waits(p phase) int32 {
	if p == waiting {
		return 1
	}
	return 0
}

// givesToken tells whether an output token settles.
func givesToken(why cache.Cause) bool {
	return why == cache.ByToken || why == cache.ByStop || why == cache.ByLength
}

// unsettled counts the tokens that were sampled for the life that the request's next token is of: while it waits, that is
// the life before.
func (x *life) unsettled() *int32 {
	if x.phase == waiting {
		return &x.earlier
	}
	return &x.sampled
}
