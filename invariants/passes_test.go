package invariants

import (
	"testing"

	"custody/cache"
)

// spoil is a scene in which the second pass of a served request uses its row in a way of its own.
func spoil(how func(u *cache.Used)) func(d *fakeEngine) {
	return func(d *fakeEngine) {
		a := served(d)
		f := d.issue(span{a, 3, 4})
		u := d.used(f, 0)
		how(u)
		d.Use(u)
	}
}

func TestARowThatIsNotAPureFunctionOfItsRequestBreaksRow(t *testing.T) {
	want := []Breach{plainly(Row, 0).at(3)}
	play(t, []scene{
		{"another domain", spoil(func(u *cache.Used) { u.ID.Domain = 2 }), want},
		{"another adapter", spoil(func(u *cache.Used) { u.ID.Adapter = 1 }), want},
		{"another sampling seed", spoil(func(u *cache.Used) { u.Sampling.Seed++ }), want},
		{"another token", spoil(func(u *cache.Used) { u.Input[0]++ }), want},
		{"a token too few", spoil(func(u *cache.Used) { u.Input = nil }), want},
		{"more positions than a request may have", spoil(func(u *cache.Used) { u.N = 8 }), want},
		{"more positions than a request may have, whatever stands behind its last", func(d *fakeEngine) {
			a := d.submit(0, amber, 1, 2, 3)
			d.admit(a, 0, 1, 2, 3, 4, 5)
			d.pass(a, 0, 3)
			u := d.used(d.issue(span{a, 3, 4}), 0)
			d.submit(1, teal, 4)
			u.N, u.Input = 8, d.accounts.tokens[3:11]
			d.Use(u)
		}, want},
		{"another block", spoil(func(u *cache.Used) { u.Table = []cache.BlockID{0, 5} }), want},
		{"a table that is too short", spoil(func(u *cache.Used) { u.Table = u.Table[:1] }), want},
		{"a row that is not there", spoil(func(u *cache.Used) { u.Row = fakeRows }), want},
		{"a row that is bound to nobody", spoil(func(u *cache.Used) { u.Row = 1 }), want},
		{"a row that is bound to another", func(d *fakeEngine) {
			a := served(d)
			b := beside(d, teal, 1, 2, 3)
			u := d.used(d.issue(span{a, 3, 4}), 0)
			u.Row = b.row
			d.Use(u)
		}, want},
		{"the table as it is now, and not as it was at issue", func(d *fakeEngine) {
			a := served(d)
			u := d.used(d.issue(span{a, 3, 4}), 0)
			d.preempt(a)
			d.admit(a, 4, 5)
			u.Table = a.table
			d.Use(u)
		}, want},
		{"a row of a life that was over when the pass was issued", func(d *fakeEngine) {
			a := served(d)
			old := *a
			d.preempt(a)
			d.admit(a, 0, 1)
			d.Use(d.used(d.issue(span{&old, 3, 4}), 0))
		}, want},
		{"nothing: its own", spoil(func(*cache.Used) {}), nil},
		{"nothing: blocks behind those that are needed are not looked at",
			spoil(func(u *cache.Used) { u.Table = []cache.BlockID{0, 1, 5} }), nil},
		{"nothing: the row of a life that is over may be another's by now", func(d *fakeEngine) {
			a := served(d)
			u := d.used(d.issue(span{a, 3, 4}), 0)
			d.preempt(a)
			b := d.submit(1, teal, 1, 2)
			d.admit(b, 2)
			d.Use(u)
		}, nil},
	})
}

func TestCountingMoreThanIsValidBreaksCount(t *testing.T) {
	play(t, []scene{
		{"a pass that starts behind a gap", func(d *fakeEngine) {
			a := d.submit(0, amber, 1, 2, 3)
			d.admit(a, 0, 1)
			d.pass(a, 0, 1)
			d.Use(d.used(d.issue(span{a, 2, 3}), 0))
		}, []Breach{plainly(Count, 0).at(2)}},
		{"a pass that starts behind positions that are only planned", func(d *fakeEngine) {
			a := d.submit(0, amber, 1, 2, 3)
			d.admit(a, 0, 1)
			d.issue(span{a, 0, 2})
			d.Use(d.used(d.issue(span{a, 2, 3}), 0))
		}, []Breach{plainly(Count, 0).at(2)}},
		{"a count above what was written", func(d *fakeEngine) {
			a := d.submit(0, amber, 1, 2, 3)
			d.admit(a, 0, 1)
			d.pass(a, 0, 2)
			d.Count(a.req, 3)
		}, []Breach{plainly(Count, 0).at(3)}},
		{"a count above what was written without a gap", func(d *fakeEngine) {
			a := d.submit(0, amber, 1, 2, 3)
			d.admit(a, 0, 1)
			d.pass(a, 0, 1)
			d.write(a, a.req, lastLayer, cache.Run{Table: a.table, Lo: 2, Hi: 3})
			d.Count(a.req, 3)
		}, []Breach{plainly(Count, 0).at(3)}},
		{"a count above what was written in the last layer", func(d *fakeEngine) {
			a := d.submit(0, amber, 1, 2, 3)
			d.admit(a, 0, 1)
			d.pass(a, 0, 2)
			d.write(a, a.req, 0, cache.Run{Table: a.table, Lo: 2, Hi: 3})
			d.Count(a.req, 3)
		}, []Breach{plainly(Count, 0).at(3)}},
		{"a count above what was found", func(d *fakeEngine) {
			d.publish(served(d), 0, 0)
			b := d.submit(1, amber, 1, 2, 4)
			d.adopt(b, 0)
			d.admit(b, 2)
			d.Count(b.req, 3)
		}, []Breach{plainly(Count, 1).at(3)}},
		{"a count of the life before", func(d *fakeEngine) {
			a := served(d)
			d.preempt(a)
			d.admit(a, 0, 1)
			d.Count(a.req, 3)
		}, []Breach{plainly(Count, 0).at(3)}},
		{"a count of blocks that were found and given back", func(d *fakeEngine) {
			d.publish(served(d), 0, 0)
			b := d.submit(1, amber, 1, 2, 4)
			d.adopt(b, 0)
			d.release(b.req, b.table, false) // the allocation behind it failed
			b.table = nil
			d.admit(b, 2, 3)
			d.Count(b.req, 2)
		}, []Breach{plainly(Count, 1).at(2)}},
		{"nothing: a pass behind what earlier outstanding passes write", func(d *fakeEngine) {
			a := d.submit(0, amber, 1, 2, 3)
			d.admit(a, 0, 1)
			f, g := d.issue(span{a, 0, 2}), d.issue(span{a, 2, 3})
			d.finish(f)
			d.finish(g)
			d.settle(f)
			d.settle(g)
		}, nil},
		{"nothing: a count of what was found", func(d *fakeEngine) {
			d.publish(served(d), 0, 0)
			b := d.submit(1, amber, 1, 2, 4)
			d.adopt(b, 0)
			d.admit(b, 2)
			d.Count(b.req, 2)
		}, nil},
		{"nothing: a count of a life that is over", func(d *fakeEngine) {
			a := served(d)
			r := a.req
			d.preempt(a)
			d.Count(r, 9)
		}, nil},
	})
}

// copyOp issues a copy for a request on the second queue.
func (d *fakeEngine) copyOp(p *party, from, to cache.BlockID) {
	d.op++
	d.Op(cache.Issued, d.op, cache.CopyQueue)
	d.PlannedCopy(d.op, p.req, cache.Copy{From: from, To: to})
}

// blame lets a request copy into a block that one of the two rows of an outstanding pass touches.
func blame(to cache.BlockID) func(d *fakeEngine) {
	return func(d *fakeEngine) {
		a, b := served(d), beside(d, teal, 4, 5)
		c := d.submit(2, teal, 6, 7)
		d.issue(span{a, 3, 4}, span{b, 2, 3})
		d.copyOp(c, 4, to)
	}
}

func TestARaceSaysWhatBothDo(t *testing.T) {
	for _, c := range []struct {
		play func(d *fakeEngine, a *party)
		want string
	}{
		{func(d *fakeEngine, a *party) { d.copyOp(a, 1, 4) }, "reads a block that an operation of the other queue may still write"},
		{func(d *fakeEngine, a *party) { d.copyOp(a, 4, 1) }, "writes a block that an operation of the other queue may still write"},
		{func(d *fakeEngine, a *party) { d.copyOp(a, 4, 0) }, "writes a block that an operation of the other queue may still read"},
	} {
		d := newFakeEngine()
		a := served(d)
		d.issue(span{a, 3, 4}) // reads blocks 0 and 1, writes block 1
		c.play(d, a)
		if b := d.Breaches(); len(b) != 1 || b[0].Detail != c.want || b[0].Op != d.op {
			t.Errorf("breaches %+v, want one of operation %d that %s", b, d.op, c.want)
		}
	}
}

func TestTwoQueuesOnOneBlockBreakInflightWhereEitherWrites(t *testing.T) {
	play(t, []scene{
		{"a pass reads what a copy may still write", func(d *fakeEngine) {
			a := served(d)
			b := beside(d, teal, 1, 2)
			d.copyOp(b, 2, 0)
			d.issue(span{a, 3, 4})
		}, []Breach{plainly(Inflight, 0).in(0).from(1, RelOther)}},
		{"a pass writes what a copy may still write", func(d *fakeEngine) {
			a := served(d)
			b := beside(d, amber, 1, 2)
			d.copyOp(b, 2, 1)
			d.issue(span{a, 2, 4})
		}, []Breach{plainly(Inflight, 0).in(1).from(1, RelDomain)}},
		{"a pass writes what a copy may still read", func(d *fakeEngine) {
			a := served(d)
			b := beside(d, amber, 1, 2)
			d.copyOp(b, 1, 4)
			d.issue(span{a, 2, 4})
		}, []Breach{plainly(Inflight, 0).in(1).from(1, RelDomain)}},
		{"a copy reads what a pass may still write", func(d *fakeEngine) {
			a := served(d)
			b := beside(d, teal, 1, 2)
			d.issue(span{a, 3, 4})
			d.copyOp(b, 1, 4)
		}, []Breach{plainly(Inflight, 1).in(1).from(0, RelOther)}},
		{"a copy writes what a pass may still read", func(d *fakeEngine) {
			a := served(d)
			d.issue(span{a, 3, 4})
			d.copyOp(a, 4, 0)
		}, []Breach{plainly(Inflight, 0).in(0).from(0, RelSelf)}},
		{"a copy writes what a pass of the life before may still read", func(d *fakeEngine) {
			a := served(d)
			d.issue(span{a, 3, 4})
			d.preempt(a)
			d.copyOp(a, 4, 0)
		}, []Breach{plainly(Inflight, 0).in(0).from(0, RelEarlier)}},
		{"the one to blame is the row that touches the block: the first of a pass", blame(0),
			[]Breach{plainly(Inflight, 2).in(0).from(0, RelOther)}},
		{"the one to blame is the row that touches the block: the last of a pass", blame(3),
			[]Breach{plainly(Inflight, 2).in(3).from(1, RelDomain)}},
		{"nothing: the copy has settled", func(d *fakeEngine) {
			a := served(d)
			b := beside(d, teal, 1, 2)
			d.copyOp(b, 2, 0)
			d.Op(cache.Settled, d.op, cache.CopyQueue)
			d.issue(span{a, 3, 4})
		}, nil},
		{"nothing: the pass is lost", func(d *fakeEngine) {
			a := served(d)
			d.issue(span{a, 3, 4})
			d.Op(cache.Lost, d.op, cache.PassQueue)
			d.copyOp(a, 4, 0)
		}, nil},
		{"nothing: both read", func(d *fakeEngine) {
			a := served(d)
			d.issue(span{a, 3, 4})
			d.copyOp(a, 0, 4)
		}, nil},
		{"nothing: one queue orders them", func(d *fakeEngine) {
			a := served(d)
			d.issue(span{a, 2, 4})
			d.issue(span{a, 2, 4})
			d.copyOp(a, 4, 5)
			d.copyOp(a, 4, 5)
		}, nil},
	})
}

func TestReferencesThatDoNotAddUpBreakOwner(t *testing.T) {
	play(t, []scene{
		{"handed out while it is held", func(d *fakeEngine) {
			served(d)
			d.take(d.submit(1, teal, 4), 0)
		}, []Breach{plainly(Owner, 1).in(0)}},
		{"dropped by one more than hold it", func(d *fakeEngine) {
			a := served(d)
			r, table := a.req, a.table
			d.cancel(a)
			d.Block(cache.Drop, r, table[0], 0)
		}, []Breach{plainly(Owner, 0).in(0)}},
		{"freed while a reference lives", func(d *fakeEngine) {
			a := served(d)
			d.Block(cache.Freed, a.req, 1, 0)
		}, []Breach{plainly(Owner, -1).in(1)}},
		{"freed twice", func(d *fakeEngine) {
			a := served(d)
			r := a.req
			d.cancel(a)
			d.Block(cache.Freed, r, 1, 0)
		}, []Breach{plainly(Owner, -1).in(1)}},
		{"poisoned while it is held", func(d *fakeEngine) {
			served(d)
			d.Block(cache.Poison, cache.Req{}, 1, 0)
		}, []Breach{plainly(Owner, -1).in(1)}},
		{"poisoned while it can be found", func(d *fakeEngine) {
			a := served(d)
			d.publish(a, 0, 0)
			d.cancel(a)
			d.Block(cache.Poison, cache.Req{}, 0, 0)
		}, []Breach{plainly(Owner, -1).in(0)}},
		{"nothing: shared by two, given back by both, handed out again", func(d *fakeEngine) {
			a := served(d)
			d.publish(a, 0, 0)
			b := d.submit(1, amber, 1, 2, 4)
			d.adopt(b, 0)
			d.cancel(a)
			d.cancel(b)
			d.unpublish(0)
			d.take(d.submit(2, teal, 4), 0)
		}, nil},
		{"nothing: dropped long after the life that held it, when its pass has settled", func(d *fakeEngine) {
			a := served(d)
			f := d.issue(span{a, 3, 4})
			r := d.leave(a, cache.Ended, cache.ByCancel)
			d.finish(f)
			d.settle(f)
			d.release(r, a.table, true)
		}, nil},
	})
}
