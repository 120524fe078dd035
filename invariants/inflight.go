package invariants

import "custody/cache"

var inflightStatement = Statement{
	ID: Inflight, Name: "inflight", Unit: "blocks of issued operations",
	Sentence: "no operation touches a block that another operation, not ordered after it, may touch with either one writing: operations of one queue are ordered, those of two queues are not",
}

// Observes: what each operation will touch, when it is issued, and when operations settle.
// Decides: an operation is ordered after all that had settled when it was issued, and after all of its own queue. For
// each block and queue the ledger keeps the last reader and the last writer; if the one on the other queue has not
// settled, and either of the two writes, the two race, even where this run's order happens to be harmless.

// planTouches checks and notes what a pass will touch: it reads all blocks up to Hi, and writes those from Lo on.
func (l *Ledger) planTouches(op cache.OpID, q cache.Queue, r cache.Req, run cache.Run) {
	size := l.cfg.BlockTokens
	for i := int32(0); i*size < run.Hi; i++ {
		l.planRead(op, q, r, run.Table[i])
		if (i+1)*size > run.Lo {
			l.planWrite(op, q, r, run.Table[i])
		}
	}
}

func (l *Ledger) planRead(op cache.OpID, q cache.Queue, r cache.Req, b cache.BlockID) {
	l.checks[Inflight]++
	x := &l.blocks[b]
	for other := range x.write {
		if cache.Queue(other) == q {
			continue
		}
		if x.write[other] > l.done[other] {
			l.race(op, r, b, x.write[other], "reads a block that an operation of the other queue may still write")
		}
		if x.read[other] > l.done[other] {
			l.Reach(TwoQueuesReadOne)
		}
	}
	x.read[q] = op
}

func (l *Ledger) planWrite(op cache.OpID, q cache.Queue, r cache.Req, b cache.BlockID) {
	l.checks[Inflight]++
	x := &l.blocks[b]
	for other := range x.write {
		if cache.Queue(other) == q {
			continue
		}
		if x.write[other] > l.done[other] {
			l.race(op, r, b, x.write[other], "writes a block that an operation of the other queue may still write")
		} else if x.read[other] > l.done[other] {
			l.race(op, r, b, x.read[other], "writes a block that an operation of the other queue may still read")
		}
	}
	x.write[q] = op
}

func (l *Ledger) race(op cache.OpID, r cache.Req, b cache.BlockID, with cache.OpID, detail string) {
	x := blamed(Inflight, l.who(r), b, detail)
	x.Op = op
	if o := l.find(with); o != nil && len(o.rows) > 0 {
		y := o.toucher(b)
		x.Writer, x.Relation = l.who(y), l.between(r, y)
	}
	l.breach(x)
}

// toucher is the first request of an operation that held the block when it was issued. A copy has only one.
func (o *operation) toucher(b cache.BlockID) cache.Req {
	for _, row := range o.rows {
		for _, h := range o.holds[row.from:row.to] {
			if h.block == b {
				return row.req
			}
		}
	}
	return o.rows[0].req
}

// between is the relation of two requests.
func (l *Ledger) between(a, b cache.Req) Relation {
	x, y := l.owner(a), l.owner(b)
	switch {
	case x == y && a == b:
		return RelSelf
	case x == y:
		return RelEarlier
	case x.id.Domain == y.id.Domain:
		return RelDomain
	}
	return RelOther
}
