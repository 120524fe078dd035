package invariants

import "custody/cache"

// Drain promises: when nothing is live, nothing is held: blocks, rows, leases, locks, counters.
//
// Observes: everything that the ledger has counted.
//
// Decides: at quiescence (no request lives, no operation is outstanding, every end is told) no block has a reference,
// no row is bound, no tenant's count is above zero.
//
// Says: what is still held, and by whom if that is known.
const Drain ID = 19

const EntriesOutliveRequests Mark = Mark(Drain) << markBits

var drainStatement = Statement{
	ID: Drain, Name: "drain", Unit: "blocks and rows at quiescence",
	Needs:    HidesRest,
	Sentence: "when nothing is live, nothing is held: blocks, rows, leases, locks, counters",
	Marks: []MarkStatement{
		{Mark: EntriesOutliveRequests, Name: "entries-outlive-requests",
			Sentence: "nothing was held at the end, and blocks could still be found"},
	},
}

// checkBlocksAtRest looks at every block. What was derived of one is no proof that the engine has let it go: see Held.
func checkBlocksAtRest(l *Ledger) {
	if l.hides(HidesFacts) {
		return
	}
	for b := range l.blocks.list {
		l.checks[Drain]++
		if l.index.entries[b].published {
			l.Hit(EntriesOutliveRequests)
		}
		if x := &l.blocks.list[b]; x.refs != 0 || x.held {
			l.breach(blamed(Drain, -1, cache.BlockID(b), "a block is still held when nothing is live"))
		}
	}
}

// checkHeld checks the number of blocks that the engine's own books call held, when nothing is live.
func checkHeld(l *Ledger, blocks int32) {
	l.checks[Drain]++
	if blocks != 0 {
		l.breach(plain(Drain, -1, "blocks are still held when nothing is live, by the engine's own count"))
	}
}

func checkNothingHeld(l *Ledger) {
	for i, bound := range l.rows.bound {
		l.checks[Drain]++
		if bound {
			l.breach(plain(Drain, l.who(l.rows.reqs[i]), "a row is still bound when nothing is live"))
		}
	}
	if len(l.ops.open) > 0 {
		l.breach(plain(Drain, -1, "an operation is still outstanding when nothing is live"))
	}
	if l.door.queued != 0 {
		l.breach(plain(Drain, -1, "somebody still stands in the queue when nothing is live"))
	}
	for _, n := range l.door.tenants {
		if n != 0 {
			l.breach(plain(Drain, -1, "a tenant's quota is still used when nothing is live"))
		}
	}
}
