package invariants

import "custody/cache"

// The operations that are outstanding, and what their rows held when they were issued.

// operation is an issued operation with what its rows held at issue.
type operation struct {
	op     cache.OpID
	queue  cache.Queue
	rows   []opRow
	holds  []hold
	tokens int32 // planned so far
	next   int   // the row that was asked for last
}

type opRow struct {
	req      cache.Req
	from, to int32 // into holds
}

// Op implements cache.Observer.
func (l *Ledger) Op(k cache.OpKind, op cache.OpID, q cache.Queue) {
	switch k {
	case cache.Issued:
		l.issued = op
		l.open(op, q)
		l.checkAgreed()
	case cache.Settled, cache.Lost:
		l.done[q] = max(l.done[q], op)
		l.close(op)
	}
	if l.extra != nil {
		l.tell(Event{Kind: SawOp, Op: op, A: int64(k), B: int64(q)})
	}
}

func (l *Ledger) open(op cache.OpID, q cache.Queue) {
	if n := len(l.ops); n < cap(l.ops) {
		l.ops = l.ops[:n+1]
	} else {
		l.ops = append(l.ops, operation{})
	}
	o := &l.ops[len(l.ops)-1]
	o.op, o.queue, o.rows, o.holds, o.tokens, o.next = op, q, o.rows[:0], o.holds[:0], 0, -1
}

func (l *Ledger) close(op cache.OpID) {
	for i := range l.ops {
		if l.ops[i].op == op {
			o, n := l.ops[i], len(l.ops)-1
			copy(l.ops[i:], l.ops[i+1:])
			l.ops[n] = o // keeps its buffers
			l.ops = l.ops[:n]
			return
		}
	}
}

func (l *Ledger) find(op cache.OpID) *operation {
	for i := range l.ops {
		if l.ops[i].op == op {
			return &l.ops[i]
		}
	}
	return nil
}

// Planned implements cache.Observer: a pass has been issued with this row.
func (l *Ledger) Planned(op cache.OpID, r cache.Req, run cache.Run) {
	o := &l.ops[len(l.ops)-1]
	from := int32(len(o.holds))
	if l.current(r) != nil {
		o.holds = append(o.holds, l.table(r.Slot)...)
	}
	o.rows = append(o.rows, opRow{req: r, from: from, to: int32(len(o.holds))})
	l.checkPlanned(o, r, run)
	if l.cfg.TwoQueues {
		l.planTouches(op, o.queue, r, run)
	}
}

// PlannedCopy implements cache.Observer.
func (l *Ledger) PlannedCopy(op cache.OpID, r cache.Req, c cache.Copy) {
	o := &l.ops[len(l.ops)-1]
	o.rows = append(o.rows, opRow{req: r})
	l.planRead(op, o.queue, r, c.From)
	l.planWrite(op, o.queue, r, c.To)
}

// heldAt returns what the row's request held when the operation was issued. Rows are touched in order, layer by layer, so
// the row after the last one asked for is looked at first.
func (l *Ledger) heldAt(op cache.OpID, r cache.Req) []hold {
	o := l.find(op)
	if o == nil {
		return nil
	}
	for range o.rows {
		if o.next++; o.next >= len(o.rows) {
			o.next = 0
		}
		if x := &o.rows[o.next]; x.req == r {
			return o.holds[x.from:x.to]
		}
	}
	return nil
}
