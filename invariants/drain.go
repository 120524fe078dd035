package invariants

import "custody/cache"

var drainStatement = Statement{
	ID: Drain, Name: "drain", Unit: "blocks and rows at quiescence",
	Sentence: "when nothing is live, nothing is held: blocks, rows, leases, locks, counters",
}

// Observes: everything that the ledger has counted.
// Decides: at quiescence (no request lives, no operation is outstanding, every end is told) no block has a reference,
// no row is bound, no tenant's count is above zero.

// Quiet tells the ledger that the world is at rest, and runs every full check.
func (l *Ledger) Quiet() {
	l.Audit()
	for b := range l.blocks {
		l.checks[Drain]++
		if l.blocks[b].published {
			l.Reach(EntriesOutliveRequests)
		}
		if x := &l.blocks[b]; x.refs != 0 || x.held {
			l.breach(blamed(Drain, -1, cache.BlockID(b), "a block is still held when nothing is live"))
		}
	}
	for i := range l.bound {
		l.checks[Drain]++
		if l.bound[i] {
			l.breach(plain(Drain, l.who(l.rows[i]), "a row is still bound when nothing is live"))
		}
	}
	if len(l.ops) > 0 {
		l.breach(plain(Drain, -1, "an operation is still outstanding when nothing is live"))
	}
	if l.queued != 0 {
		l.breach(plain(Drain, -1, "somebody still stands in the queue when nothing is live"))
	}
	l.quietClients()
	for i, p := range l.extra {
		l.guard(i, func() { p.Audit(l, func(message string) { l.breachExtra(i, message) }) })
	}
}

func (l *Ledger) quietClients() {
	for _, n := range l.tenants {
		if n != 0 {
			l.breach(plain(Drain, -1, "a tenant's quota is still used when nothing is live"))
		}
	}
	for i := range l.clients {
		if c := &l.clients[i]; c.slot >= 0 && !c.told {
			l.breach(plain(Once, c.index, "a client was never told the end of its request"))
		}
	}
}
