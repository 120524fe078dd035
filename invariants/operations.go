package invariants

import "custody/cache"

// operationBook is which operations are outstanding, what their rows held when they were issued, and who touches a block
// last.
type operationBook struct {
	open    []operation
	issued  cache.OpID                  // the last one
	done    [cache.NumQueues]cache.OpID // operations up to this one are settled or lost
	touches []touches                   // by block
}

// operation is an issued operation with what its rows held at issue.
type operation struct {
	op     cache.OpID
	queue  cache.Queue
	rows   []operationRow
	holds  []hold
	tokens int32 // planned so far
	next   int   // the row that was asked for last
}

type operationRow struct {
	req      cache.Req
	from, to int // into holds
}

// touches is the last operation of each queue that was issued to read a block, and to write it.
type touches struct {
	read, write [cache.NumQueues]cache.OpID
}

func newOperationBook(blocks int32) operationBook {
	return operationBook{touches: make([]touches, blocks)}
}

func (k *operationBook) reset() {
	k.open, k.issued, k.done = k.open[:0], 0, [cache.NumQueues]cache.OpID{}
	clear(k.touches)
}

func (k *operationBook) cloneInto(dst *operationBook) {
	dst.open = dst.open[:0]
	for i := range k.open {
		from := &k.open[i]
		to := dst.issue(from.op, from.queue)
		to.rows, to.holds = append(to.rows, from.rows...), append(to.holds, from.holds...)
		to.tokens, to.next = from.tokens, from.next
	}
	dst.issued, dst.done = k.issued, k.done
	copy(dst.touches, k.touches)
}

// issue opens an operation. What ended earlier leaves its buffers to it.
func (k *operationBook) issue(op cache.OpID, q cache.Queue) *operation {
	k.issued = op
	if n := len(k.open); n < cap(k.open) {
		k.open = k.open[:n+1]
	} else {
		k.open = append(k.open, operation{})
	}
	o := k.last()
	o.op, o.queue, o.rows, o.holds, o.tokens, o.next = op, q, o.rows[:0], o.holds[:0], 0, -1
	return o
}

func (k *operationBook) last() *operation { return &k.open[len(k.open)-1] }

func (o *operation) carry(r cache.Req, holds []hold) {
	from := len(o.holds)
	o.holds = append(o.holds, holds...)
	o.rows = append(o.rows, operationRow{req: r, from: from, to: len(o.holds)})
}

// end closes an operation that has settled or is lost.
func (k *operationBook) end(op cache.OpID, q cache.Queue) {
	k.done[q] = max(k.done[q], op)
	for i := range k.open {
		if k.open[i].op == op {
			o, n := k.open[i], len(k.open)-1
			copy(k.open[i:], k.open[i+1:])
			k.open[n] = o // keeps its buffers
			k.open = k.open[:n]
			return
		}
	}
}

func (k *operationBook) find(op cache.OpID) *operation {
	for i := range k.open {
		if k.open[i].op == op {
			return &k.open[i]
		}
	}
	return nil
}

// comes tells whether an operation is still to touch memory, or has yet to be issued; 0 is none.
func (k *operationBook) comes(op cache.OpID) bool {
	return op > k.issued || (op != 0 && k.find(op) != nil)
}

// heldAt is what the row's request held when the operation was issued. Rows are touched in order, again and again, so the
// row after the last one asked for is looked at first.
func (k *operationBook) heldAt(op cache.OpID, r cache.Req) []hold {
	o := k.find(op)
	if o == nil {
		return nil
	}
	for range o.rows {
		if o.next++; o.next >= len(o.rows) {
			o.next = 0
		}
		if x := &o.rows[o.next]; x.req == r {
			return o.holds[x.from:x.to:x.to]
		}
	}
	return nil
}

// passesOf is the number of outstanding passes that carry the life.
func (k *operationBook) passesOf(r cache.Req) (n int) {
	for i := range k.open {
		for _, row := range k.open[i].rows {
			if row.req == r && k.open[i].queue == cache.PassQueue {
				n++
			}
		}
	}
	return n
}

// reads tells whether an outstanding operation carries a request of another slot that held the block at issue.
func (k *operationBook) reads(b cache.BlockID, besides int32) bool {
	for i := range k.open {
		for _, row := range k.open[i].rows {
			for _, h := range k.open[i].holds[row.from:row.to] {
				if h.block == b && row.req.Slot != besides {
					return true
				}
			}
		}
	}
	return false
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

// held is what a pass of a request may read through: the table that the request had when the pass was issued or, where
// tables are live, has now.
func held(l *Ledger, op cache.OpID, r cache.Req) []hold {
	if l.cfg.Claims.LiveTable && l.lives.current(r) != nil {
		return l.blocks.table(r.Slot)
	}
	return l.ops.heldAt(op, r)
}
