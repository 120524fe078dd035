package invariants

import "custody/cache"

// Order promises: the policy's order holds: no overtaking beyond the documented exceptions; the victim rule.
//
// Observes: what happens to requests; which preemptions and resets the script asked for.
//
// Decides: the ledger keeps a queue of its own. First come, first served: behind the others, and in front of them after
// losing its blocks; by priority: where number and arrival put it. Whoever leaves the queue for blocks must be its head
// (requests that already hold blocks, after a copy, do not stand in it). Whoever is preempted for somebody else's
// blocks must be the newest admitted (first come, first served) or the last by priority and arrival.
//
// Says: the request that came first or gave way, and the one whose turn it was.
const Order ID = 15

const (
	LaterCameFirst Mark = Mark(Order)<<markBits + iota
	// GaveWay is reached when a request was preempted for blocks that another needed.
	GaveWay
)

var orderStatement = Statement{
	ID: Order, Name: "order", Unit: "admissions and preemptions",
	Needs:    HidesFacts,
	Sentence: "the policy's order holds: no overtaking beyond the documented exceptions; the victim rule",
	Marks: []MarkStatement{
		{Mark: LaterCameFirst, Name: "later-came-first",
			Sentence: "a request was queued before an earlier one because of its priority"},
		{Mark: GaveWay, Name: "gave-way", Sentence: "a request was preempted for blocks that another needed"},
	},
}

// checkTurn checks a request that leaves the queue, before it does.
func checkTurn(l *Ledger, r cache.Req, to phase) {
	if to == over || l.cfg.Claims.Order == AnyOrder {
		return
	}
	l.checks[Order]++
	if len(l.order.waiting) == 0 || l.order.waiting[0].slot == r.Slot {
		return
	}
	first := l.order.waiting[0].slot
	b := plain(Order, l.who(r), "a request was admitted before one that stood in front of it")
	b.Writer = l.lives.present[first].client
	b.Relation = l.between(r, cache.Req{Slot: first, Gen: l.lives.present[first].gen})
	l.breach(b)
}

// checkVictim checks a running request that is taken off its row.
func checkVictim(l *Ledger, r cache.Req, why cache.Cause) {
	if why != cache.ByPreempt || l.order.exempt || l.cfg.Claims.Order == AnyOrder {
		return
	}
	l.checks[Order]++
	if victim := l.order.victim(l.placeOf(r)); victim.slot != r.Slot {
		b := plain(Order, l.who(r), "a request was preempted although another had to give way first")
		b.Writer = l.lives.present[victim.slot].client
		l.breach(b)
	}
}

// markGaveWay: something has happened to a request.
func markGaveWay(l *Ledger, why cache.Cause) {
	if why == cache.ByPreempt && !l.order.exempt {
		l.Hit(GaveWay)
	}
}
