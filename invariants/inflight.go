package invariants

import "custody/cache"

// Inflight promises: no operation touches a block that another operation, not ordered after it, may touch
// with either one writing: operations of one queue are ordered, those of two queues are not.
//
// Observes: what each operation will touch, when it is issued, and when operations settle.
//
// Decides: an operation is ordered after all that had settled when it was issued, and after all of its own queue. For
// each block and queue the ledger keeps the last reader and the last writer; if the one on the other queue has not
// settled, and either of the two writes, the two race, even where this run's order happens to be harmless.
//
// Says: the operation, the block, its request, the request of the operation that it races with, and how the two stand
// to each other.
const Inflight ID = 7

const TwoQueuesReadOne Mark = Mark(Inflight) << markBits

var inflightStatement = Statement{
	ID: Inflight, Name: "inflight", Unit: "blocks of issued operations",
	Sentence: "no operation touches a block that another operation, not ordered after it, may touch with either one " +
		"writing: operations of one queue are ordered, those of two queues are not",
	Marks: []MarkStatement{
		{Mark: TwoQueuesReadOne, Name: "two-queues-read-one-block",
			Sentence: "operations of two queues were to read one block at the same time"},
	},
}

// planTouches checks and notes what a pass will touch: it reads all blocks up to Hi, and writes those from Lo on.
func planTouches(l *Ledger, o *operation, r cache.Req, run cache.Run) {
	size := l.memory.size
	for i := int32(0); i*size < run.Hi; i++ {
		planRead(l, o, r, run.Table[i])
		if (i+1)*size > run.Lo {
			planWrite(l, o, r, run.Table[i])
		}
	}
}

func planRead(l *Ledger, o *operation, r cache.Req, b cache.BlockID) {
	l.checks[Inflight]++
	x := &l.ops.touches[b]
	for other := range x.write {
		if cache.Queue(other) == o.queue {
			continue
		}
		if x.write[other] > l.ops.done[other] {
			breachRace(l, o.op, r, b, x.write[other], "reads a block that an operation of the other queue may still write")
		}
		if x.read[other] > l.ops.done[other] {
			l.Hit(TwoQueuesReadOne)
		}
	}
	x.read[o.queue] = o.op
}

func planWrite(l *Ledger, o *operation, r cache.Req, b cache.BlockID) {
	l.checks[Inflight]++
	x := &l.ops.touches[b]
	for other := range x.write {
		if cache.Queue(other) == o.queue {
			continue
		}
		if x.write[other] > l.ops.done[other] {
			breachRace(l, o.op, r, b, x.write[other], "writes a block that an operation of the other queue may still write")
		} else if x.read[other] > l.ops.done[other] {
			breachRace(l, o.op, r, b, x.read[other], "writes a block that an operation of the other queue may still read")
		}
	}
	x.write[o.queue] = o.op
}

func breachRace(l *Ledger, op cache.OpID, r cache.Req, b cache.BlockID, with cache.OpID, detail string) {
	x := blamed(Inflight, l.who(r), b, detail)
	x.Op = op
	if o := l.ops.find(with); o != nil && len(o.rows) > 0 {
		y := o.toucher(b)
		x.Writer, x.Relation = l.who(y), l.between(r, y)
	}
	l.breach(x)
}
