package invariants

import "custody/cache"

// The states and events of a request's life, as the observer reports them: the scheduler's, in its order.
const (
	stAbsent uint8 = iota
	stWaiting
	stLoading
	stLoaded
	stPrefill
	stDecode
	stPreempted
	stEnded
)

const (
	onSubmit uint8 = iota
	onCopy
	onCopied
	onAdmit
	onChunk
	onToken
	onStop
	onLength
	onCancel
	onPreempt
	onRequeue
	onRefuse
	onLost
)

// life is the ledger's view of one slot of the request table.
type life struct {
	client  int32
	gen     uint32
	writer  uint32 // its number as a writer
	state   uint8
	live    bool
	holds   int32 // blocks in its table
	valid   int32 // leading positions whose slots are valid for it
	sampled int32 // tokens sampled for this life that have not settled
	earlier int32 // the same for the life before
	taken   int32 // tokens that have settled, in all lives of the request
	looked  int32 // the most blocks that could be found when it was denied admission
}

// Life implements cache.Observer.
func (l *Ledger) Life(r cache.Req, from, to, on uint8) {
	l.transitions[from][on]++
	l.checkLife(r, from, on)
	l.markTaken(r, on)
	l.move(r, from, to, on)
	if l.extra != nil {
		l.tell(Event{Kind: SawLife, Req: r, A: int64(from)<<16 | int64(to), B: int64(on)})
	}
}

// move follows a request through its life: blocks and counts belong to one generation.
func (l *Ledger) move(r cache.Req, from, to, on uint8) {
	x := &l.lives[r.Slot]
	if on == onSubmit {
		l.checkAccepted(&l.clients[l.offered])
		l.checkHopeful(&l.clients[l.offered])
		*x = life{client: l.offered, gen: r.Gen, live: true, writer: l.newWriter(l.offered, r.Gen)}
		c := &l.clients[l.offered]
		c.slot = r.Slot
		l.countTenant(c.tenant, 1)
	}
	if on == onToken || on == onStop || on == onLength {
		l.useSample(x, from)
	}
	l.follow(r, from, to, on)
	l.queued += waits(to) - waits(from)
	x.state = to
	switch {
	case to == stEnded:
		l.emptyTable(r.Slot)
		x.live, x.gen = false, r.Gen+1
		l.countTenant(l.clients[x.client].tenant, -1)
	case to == stPreempted && from != stPreempted:
		x.earlier, x.sampled = x.sampled, 0
		l.emptyTable(r.Slot)
		x.gen, x.valid = r.Gen+1, 0
		x.writer = l.newWriter(x.client, x.gen)
	}
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

func waits(state uint8) int32 {
	if state == stWaiting || state == stPreempted {
		return 1
	}
	return 0
}

// useSample takes one sampled token as settled.
func (l *Ledger) useSample(x *life, from uint8) {
	x.taken++
	if from == stPreempted {
		x.earlier--
	} else {
		x.sampled--
	}
}

// Transitions returns how often each transition of the lifecycle was made, by state and event.
func (l *Ledger) Transitions() *Transitions { return &l.transitions }

// Transitions counts transitions by the state before and the event.
type Transitions [stEnded + 1][onLost + 1]int64
