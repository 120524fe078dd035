package invariants

import (
	"testing"

	"custody/cache"
)

// A scene is a short history, and the breaches that it must lead to, in the order in which they are reported.
type scene struct {
	name string
	play func(d *fakeEngine)
	want []Breach
}

func play(t *testing.T, scenes []scene) {
	for _, s := range scenes {
		t.Run(s.name, func(t *testing.T) {
			d := newFakeEngine()
			s.play(d)
			expect(t, d.Ledger, s.want...)
		})
	}
}

// served is a request of client 0 whose prompt 1,2,3 has been computed in blocks 0 and 1, with one answer.
func served(d *fakeEngine) *party {
	p := d.submit(0, amber, 1, 2, 3)
	d.admit(p, 0, 1)
	d.pass(p, 0, 3)
	return p
}

// beside adds such a request of client 1, in blocks 2 and 3.
func beside(d *fakeEngine, tenant int32, prompt ...cache.Token) *party {
	p := d.submit(1, tenant, prompt...)
	d.admit(p, 2, 3)
	d.pass(p, 0, int32(len(prompt)))
	return p
}

// Of a slot that is read wrongly: live means that the present holder's epoch wrote it.
func slotBreach(id ID, rel Relation, state SlotState) Breach {
	return Breach{Promise: id, Relation: rel, Slot: state, Writer: -1, Block: cache.None}
}

func (b Breach) by(reader int32) Breach {
	b.Reader = reader
	return b
}

func (b Breach) on(layer int32) Breach {
	b.Layer = layer
	return b
}

func TestReadingWhatAnotherWroteBreaksContentAndAcrossDomainsTenantToo(t *testing.T) {
	play(t, []scene{
		{"a slot of another domain", func(d *fakeEngine) {
			a := served(d)
			b := beside(d, teal, 1, 2, 3)
			d.write(a, a.req, 1, cache.Run{Table: b.table, Lo: 2, Hi: 3})
			d.read(b, 1, cache.Run{Table: b.table, Hi: 3})
		}, []Breach{
			slotBreach(Tenant, RelOther, SlotWritten).by(1).from(0, RelOther).in(3).on(1).at(2),
			slotBreach(Content, RelOther, SlotWritten).by(1).from(0, RelOther).in(3).on(1).at(2),
		}},
		{"a slot of another domain, whose writer's number is the reader's now", func(d *fakeEngine) {
			a := served(d)
			d.release(d.leave(a, cache.Ended, cache.ByCancel), a.table, false)
			d.Cancelled(0)
			d.Ended(0, EndCancelled)
			b := d.accept(0, 1, ask(teal, 1, 2, 3))
			d.adopt(b, 0)
			d.read(b, 0, cache.Run{Table: b.table, Hi: 1})
		}, []Breach{
			slotBreach(Tenant, RelOther, SlotWritten).from(-1, RelOther).in(0),
			slotBreach(Content, RelOther, SlotWritten).from(-1, RelOther).in(0),
			plainly(Publish, 0).in(0),
		}},
		{"a slot of another request of the domain", func(d *fakeEngine) {
			a := served(d)
			b := beside(d, amber, 1, 5, 3)
			d.write(a, a.req, 0, cache.Run{Table: b.table, Lo: 1, Hi: 2})
			d.read(b, 0, cache.Run{Table: b.table, Hi: 3})
		}, []Breach{slotBreach(Content, RelDomain, SlotWritten).by(1).from(0, RelDomain).in(2).at(1)}},
		{"a slot of another request that writes its own words again, of which the last still stood there", func(d *fakeEngine) {
			a := served(d)
			b := beside(d, amber, 4, 5, 6)
			d.write(a, a.req, 0, cache.Run{Table: b.table, Hi: 2})
			d.write(b, b.req, 0, cache.Run{Table: b.table, Hi: 1})
			d.write(a, a.req, 0, cache.Run{Table: b.table, Hi: 2})
			d.read(b, 0, cache.Run{Table: b.table, Hi: 1})
		}, []Breach{slotBreach(Content, RelDomain, SlotWritten).by(1).from(0, RelDomain).in(2)}},
		{"an own slot of another position", func(d *fakeEngine) {
			a := served(d)
			d.read(a, 0, cache.Run{Table: []cache.BlockID{1, 0}, Hi: 1})
		}, []Breach{slotBreach(Content, RelSelf, SlotWritten).from(0, RelSelf).in(1)}},
		{"a slot that the earlier life wrote for another position", func(d *fakeEngine) {
			a := served(d)
			r := a.req
			d.preempt(a)
			d.admit(a, 4, 5)
			d.pass(a, 0, 4)
			d.write(a, r, 1, cache.Run{Table: []cache.BlockID{1, 4}, Lo: 2, Hi: 3})
			d.read(a, 1, cache.Run{Table: a.table, Hi: 4})
		}, []Breach{slotBreach(Content, RelEarlier, SlotWritten).from(0, RelEarlier).in(4).on(1)}},
		{"nothing: both read what they wrote, though the words are the same", func(d *fakeEngine) {
			a := served(d)
			b := beside(d, teal, 1, 2, 3)
			d.pass(a, 3, 4)
			d.pass(b, 3, 4)
		}, nil},
	})
}

func TestReadingWhatTheHolderDidNotWriteBreaksWritten(t *testing.T) {
	play(t, []scene{
		{"a slot that nobody ever wrote", func(d *fakeEngine) {
			a := d.submit(0, amber, 1, 2, 3)
			d.admit(a, 0, 1)
			d.read(a, 1, cache.Run{Table: a.table, Hi: 3})
		}, []Breach{slotBreach(Written, RelNone, SlotUnwritten).in(0).on(1)}},
		{"a poisoned slot", func(d *fakeEngine) {
			d.cancel(served(d))
			b := d.submit(1, teal, 1, 2)
			d.admit(b, 1)
			d.read(b, 0, cache.Run{Table: b.table, Hi: 2})
		}, []Breach{slotBreach(Written, RelNone, SlotPoisoned).by(1).in(1)}},
		{"the right content, of an earlier holding of the block", func(d *fakeEngine) {
			a := served(d)
			r := d.leave(a, cache.LostBlocks, cache.ByPreempt)
			d.release(r, a.table, false)
			a.table = nil
			d.clearRow(a, r)
			d.admit(a, 0, 1)
			d.read(a, 1, cache.Run{Table: a.table, Lo: 1, Hi: 3})
		}, []Breach{slotBreach(Written, RelEarlier, SlotStale).from(0, RelEarlier).in(0).on(1).at(1)}},
		{"the wrong content, of an earlier holder of another domain", func(d *fakeEngine) {
			a := served(d)
			r := d.leave(a, cache.Ended, cache.ByCancel)
			d.release(r, a.table, false)
			b := d.submit(1, teal, 1, 2)
			d.admit(b, 1)
			d.read(b, 1, cache.Run{Table: b.table, Hi: 1})
		}, []Breach{
			slotBreach(Tenant, RelOther, SlotStale).by(1).from(0, RelOther).in(1).on(1),
			slotBreach(Content, RelOther, SlotStale).by(1).from(0, RelOther).in(1).on(1),
			slotBreach(Written, RelOther, SlotStale).by(1).from(0, RelOther).in(1).on(1),
		}},
		{"a block that was freed and poisoned under its reader, which had read it rightly before", func(d *fakeEngine) {
			a := served(d)
			d.release(cache.Req{Slot: 4}, []cache.BlockID{0}, true)
			d.read(a, 1, cache.Run{Table: a.table, Hi: 3})
		}, []Breach{slotBreach(Written, RelNone, SlotPoisoned).in(0).on(1), plainly(Owner, 0).in(0)}},
		{"a block that was freed under its reader and is another's now", func(d *fakeEngine) {
			a := served(d)
			d.release(cache.Req{Slot: 4}, []cache.BlockID{0}, true)
			b := d.submit(1, teal, 4, 5)
			d.admit(b, 0)
			d.pass(b, 0, 2)
			d.read(a, 1, cache.Run{Table: a.table, Hi: 3})
		}, []Breach{
			slotBreach(Tenant, RelOther, SlotStale).from(1, RelOther).in(0).on(1),
			slotBreach(Content, RelOther, SlotStale).from(1, RelOther).in(0).on(1),
			slotBreach(Written, RelOther, SlotStale).from(1, RelOther).in(0).on(1),
			plainly(Owner, 0).in(0),
		}},
		{"a block that was handed out twice, read rightly once more, and then written by the second", func(d *fakeEngine) {
			a := served(d)
			b := d.submit(1, teal, 4, 5)
			d.admit(b, 0)
			d.read(a, 1, cache.Run{Table: a.table, Hi: 3})
			d.pass(b, 0, 2)
			d.read(a, 1, cache.Run{Table: a.table, Hi: 3})
		}, []Breach{
			slotBreach(Tenant, RelOther, SlotStale).from(1, RelOther).in(0).on(1),
			slotBreach(Content, RelOther, SlotStale).from(1, RelOther).in(0).on(1),
			slotBreach(Written, RelOther, SlotStale).from(1, RelOther).in(0).on(1),
			plainly(Owner, 1).in(0),
		}},
		{"a block whose copy never came", func(d *fakeEngine) {
			a := d.submit(0, amber, 1, 2)
			d.admit(a, 0)
			d.pass(a, 0, 2)
			d.publish(a, 0, 0)
			b := d.submit(1, amber, 1, 2)
			d.take(b, 1)
			d.adopt(b, 0)
			op, _ := d.copyTail(b)
			d.settleCopy(b, op)
			d.read(b, 0, cache.Run{Table: b.table, Hi: 2})
		}, []Breach{slotBreach(Written, RelNone, SlotUnwritten).by(1).in(1)}},
		{"nothing: the new holder has written it", func(d *fakeEngine) {
			d.cancel(served(d))
			b := d.submit(1, teal, 1, 2)
			d.admit(b, 1)
			d.pass(b, 0, 2)
		}, nil},
	})
}

func TestFindingABlockThatWasFiledForSomethingElseBreaksKey(t *testing.T) {
	play(t, []scene{
		{"filed by another domain, for the same words", func(d *fakeEngine) {
			d.publish(served(d), 0, 0)
			d.adopt(d.submit(1, teal, 1, 2, 3), 0)
		}, []Breach{plainly(Key, 1).in(0).from(0, RelOther)}},
		{"filed in the same domain, under another adapter", func(d *fakeEngine) {
			d.publish(served(d), 0, 0)
			a := ask(amber, 1, 2, 3)
			a.ID.Adapter = 5
			d.adopt(d.accept(1, 1, a), 0)
		}, []Breach{plainly(Key, 1).in(0).from(0, RelDomain)}},
		{"filed in the same domain, for other words", func(d *fakeEngine) {
			d.publish(served(d), 0, 0)
			d.adopt(d.submit(1, amber, 1, 4, 3), 0)
		}, []Breach{plainly(Key, 1).in(0).from(0, RelDomain)}},
		{"filed for the same words, but found for the wrong place", func(d *fakeEngine) {
			a := d.submit(0, amber, 1, 2, 1, 2)
			d.admit(a, 0, 1)
			d.pass(a, 0, 4)
			d.publish(a, 0, 0)
			d.publish(a, 1, 0)
			d.adopt(d.submit(1, amber, 1, 2, 1, 2, 5), 1)
		}, []Breach{plainly(Key, 1).in(1).from(0, RelDomain)}},
		{"nothing: filed in the same domain, for the same words", func(d *fakeEngine) {
			d.publish(served(d), 0, 0)
			d.adopt(d.submit(1, amber, 1, 2, 9), 0)
		}, nil},
	})
}

func TestAnEntryThatPromisesWhatIsNotThereBreaksPublish(t *testing.T) {
	play(t, []scene{
		{"published before it was written", func(d *fakeEngine) {
			a := d.submit(0, amber, 1, 2, 3)
			d.admit(a, 0, 1)
			d.publish(a, 0, 0)
		}, []Breach{plainly(Publish, 0).in(0)}},
		{"published with a slot missing", func(d *fakeEngine) {
			a := d.submit(0, amber, 1, 2, 3)
			d.admit(a, 0, 1)
			d.pass(a, 0, 3)
			d.publish(a, 1, 0)
		}, []Breach{plainly(Publish, 0).in(1)}},
		{"published for other content than it holds", func(d *fakeEngine) {
			a := served(d)
			b := beside(d, amber, 4, 5)
			d.write(b, b.req, lastLayer, cache.Run{Table: []cache.BlockID{0}, Hi: 2})
			d.publish(a, 0, 0)
		}, []Breach{plainly(Publish, 0).in(0)}},
		{"found through an entry that is gone", func(d *fakeEngine) {
			d.publish(served(d), 0, 0)
			d.unpublish(0)
			d.adopt(d.submit(1, amber, 1, 2, 3), 0)
		}, []Breach{plainly(Publish, 1).in(0)}},
		{"handed out while it can be found", func(d *fakeEngine) {
			a := served(d)
			d.publish(a, 0, 0)
			d.cancel(a)
			d.take(d.submit(1, teal, 1, 2), 0)
		}, []Breach{plainly(Publish, 1).in(0)}},
		{"found after its writer failed", func(d *fakeEngine) {
			a := d.submit(0, amber, 1, 2, 3)
			d.admit(a, 0, 1)
			d.publish(a, 0, d.op+1)
			f := d.issue(span{a, 0, 3})
			d.Op(cache.Lost, f.op, cache.PassQueue)
			d.adopt(d.submit(1, amber, 1, 2, 4), 0)
		}, []Breach{plainly(Publish, 1).in(0)}},
		{"read through an entry whose writer has not come, which is `written` too", func(d *fakeEngine) {
			a := d.submit(0, amber, 1, 2, 3)
			d.admit(a, 0, 1)
			d.publish(a, 0, d.op+1)
			d.issue(span{a, 0, 3})
			b := d.submit(1, amber, 1, 2, 4)
			d.adopt(b, 0)
			d.admit(b, 2)
			d.read(b, 0, cache.Run{Table: b.table, Hi: 2})
		}, []Breach{
			slotBreach(Written, RelNone, SlotUnwritten).by(1).in(0),
			slotBreach(Publish, RelNone, SlotUnwritten).by(1).in(0),
		}},
		{"nothing: found while its writer is outstanding, and read after it", func(d *fakeEngine) {
			a := d.submit(0, amber, 1, 2, 3)
			d.admit(a, 0, 1)
			d.publish(a, 0, d.op+1)
			f := d.issue(span{a, 0, 3})
			b := d.submit(1, amber, 1, 2, 4)
			d.adopt(b, 0)
			d.admit(b, 2)
			g := d.issue(span{b, 2, 3})
			d.finish(f)
			d.finish(g)
			d.settle(f)
			d.settle(g)
		}, nil},
		{"nothing: found after its writer's end, which wrote it", func(d *fakeEngine) {
			a := d.submit(0, amber, 1, 2, 3)
			d.admit(a, 0, 1)
			d.publish(a, 0, d.op+1)
			d.pass(a, 0, 3)
			d.cancel(a)
			d.adopt(d.submit(1, amber, 1, 2, 4), 0)
		}, nil},
	})
}
