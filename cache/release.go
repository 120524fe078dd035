package cache

// A reference ends in one of three ways: at once, when an operation that may still touch the block has settled, or
// (ReleaseOrdered) at once although an operation is outstanding, which is right as long as whoever gets the block
// next touches it on the same queue, and therefore later. Poison is a touch too, and waits in the same way.

// Release ends all of a request's references. `after` is the last outstanding operation that names the request, 0 if
// there is none.
func (p *Pool) Release(r Req, after OpID) {
	wait := after != 0 && p.cfg.Release == ReleaseSettled
	p.index.leave(p.Table(r), func(b BlockID) {
		if wait {
			p.returning.drop(r, b, after)
		} else {
			p.drop(r, b, after)
		}
	})
	p.tables.used[r.Slot], p.filed[r.Slot] = 0, 0
}

// drop ends one reference; the last one puts the block on the free list.
func (p *Pool) drop(r Req, b BlockID, after OpID) {
	p.watch.block(Drop, r, b, 0)
	p.returning.touchedUntil(b, after)
	p.refs[b]--
	if p.refs[b] > 0 {
		return
	}
	p.watch.block(Freed, r, b, 0)
	p.free.give(b, p.index.published[b])
	if !p.index.published[b] {
		p.wipe(b)
	}
}

// wipe poisons a block that has lost both references and entry, or leaves that to the end of the pass that may still
// touch it.
func (p *Pool) wipe(b BlockID) {
	if !p.returning.poisonLater(b) {
		p.mem.poison(b)
	}
}

// Done takes in that an operation has settled: what waited for it is released, what it promised is written.
func (p *Pool) Done(op OpID, q Queue) {
	p.unwritten.written(op)
	p.settle(op, q)
}

// Lost takes in that an operation will not touch memory: what it promised is withdrawn, what waited for it is released.
func (p *Pool) Lost(op OpID, q Queue) {
	p.withdraw(func(x unwrittenEntry) bool { return x.op == op })
	p.settle(op, q)
}

func (p *Pool) settle(op OpID, q Queue) {
	x := &p.returning
	if q == PassQueue {
		x.settled = max(x.settled, op) // a lost pass may be known before the result of an earlier one
	}
	kept := x.list[:0] // nothing that is dropped here defers anything: under ReleaseSettled no free block is busy
	for _, d := range x.list {
		if d.after != op {
			kept = append(kept, d)
		} else if !d.poison {
			p.drop(d.req, d.block, 0)
		} else if p.refs[d.block] == 0 && !p.index.published[d.block] && x.busy[d.block] == op {
			p.mem.poison(d.block) // were it busy for longer, a later deferral would stand for it
		}
	}
	x.list = kept
}
