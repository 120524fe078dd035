package invariants

import (
	"testing"

	"custody/cache"
	"custody/scheduler/protocol"
)

// What looks wrong and is not: each of these histories comes close to a breach, and every promise is kept. The engine is
// at rest in the end, so that the full check has its say too.
func TestHistoriesThatOnlyLookWrongKeepEveryPromise(t *testing.T) {
	for _, c := range []struct {
		name string
		play func(d *fakeEngine)
	}{
		{"a block is published when it is scheduled and found in the same pass", sameStepSharing},
		{"a dead life's late pass reads its own slots in blocks that are another's by now", lateRead},
		{"a dead life's late pass writes into blocks that are another's by now", lateWrite},
		{"a row stays bound after its request's end until the next plan", lazyRow},
		{"a request takes the token of its earlier life while it waits", tokenWhileWaiting},
		{"a request takes a token that is sampled while it waits", sampledWhileWaiting},
		{"a request computes again a token that its earlier life has sampled", tokenAgain},
		{"a request preempted twice drops the token of its first life", preemptedTwice},
		{"the last block of a prompt is copied on the second queue", tailCopy},
		{"a copied request is preempted before it runs", copyThenPreempt},
		{"a name is used again while the last messages of the earlier request are under way", nameAgain},
		{"a slot of the request table is used again", slotAgain},
		{"a published block is found after everybody has gone", foundLater},
		{"an admission that fails on the way gives back what it had found", failedAdmission},
		{"positions are computed a second time before their block is published", computedTwice},
		{"a chunk that ends in the middle of a block", chunks},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newFakeEngine()
			c.play(d)
			d.Drained(true)
			d.AtRest()
			expect(t, d.Ledger)
		})
	}
}

func sameStepSharing(d *fakeEngine) {
	a, b := d.submit(0, amber, 1, 2, 3), d.submit(1, amber, 1, 2, 4)
	d.admit(a, 0, 1)
	d.publish(a, 0, d.op+1)
	d.adopt(b, 0)
	d.admit(b, 2)
	f := d.issue(span{a, 0, 3}, span{b, 2, 3})
	d.finish(f)
	d.settle(f)
	d.cancel(a)
	d.cancel(b)
}

// lateRead: release is ordered, so the block goes back, and to another, while a pass that names it is outstanding. The
// pass was issued first and is on the same queue: it reads before the new holder writes.
func lateRead(d *fakeEngine) {
	a := served(d)
	f := d.issue(span{a, 3, 4})
	d.Cancelled(0)
	r := d.leave(a, cache.Ended, cache.ByCancel)
	d.release(r, a.table, false) // poison waits for the pass
	b := d.submit(1, teal, 5, 6, 7)
	d.admit(b, 0, 1)
	g := d.issue(span{b, 0, 3})
	d.finish(f)
	d.finish(g)
	d.clearRow(a, r)
	d.Ended(0, EndCancelled)
	d.settle(f)
	d.settle(g)
	d.cancel(b)
}

func lateWrite(d *fakeEngine) {
	a := d.submit(0, amber, 1, 2, 3)
	d.admit(a, 0, 1)
	f := d.issue(span{a, 0, 3})
	r := d.leave(a, cache.LostBlocks, cache.ByPreempt)
	d.release(r, a.table, false)
	a.table = nil
	d.clearRow(a, r)
	b := d.submit(1, amber, 1, 2, 4) // same words, same blocks
	d.admit(b, 0, 1)
	d.finish(f)
	d.pass(b, 0, 3)
	d.settle(f)
	d.cancel(a)
	d.cancel(b)
}

func lazyRow(d *fakeEngine) {
	a := served(d)
	f := d.issue(span{a, 3, 4})
	d.Cancelled(0)
	r := d.leave(a, cache.Ended, cache.ByCancel)
	d.Ended(0, EndCancelled)
	d.finish(f) // in a row that still stands
	d.settle(f)
	d.release(r, a.table, true)
	b := d.submit(1, teal, 1)
	d.admit(b, 0)
	d.clearRow(a, r)
	d.pass(b, 0, 1)
	d.cancel(b)
}

func tokenWhileWaiting(d *fakeEngine) {
	a, f := preemptedAfterSampling(d)
	d.Op(cache.Settled, f.op, cache.PassQueue)
	d.token(a)
	d.admit(a, 3, 4, 5)
	d.pass(a, 0, 5)
	d.pass(a, 5, 6) // the last token
}

func sampledWhileWaiting(d *fakeEngine) {
	a := served(d)
	f := d.issue(span{a, 3, 4})
	r := d.leave(a, cache.LostBlocks, cache.ByPreempt)
	d.clearRow(a, r)
	d.finish(f)
	d.Op(cache.Settled, f.op, cache.PassQueue)
	d.release(r, a.table, true)
	a.table = nil
	d.token(a)
	d.cancel(a)
}

func tokenAgain(d *fakeEngine) {
	a, f := preemptedAfterSampling(d)
	d.admit(a, 3, 4)
	d.settle(f) // of a life that is over, and it runs again: its token is dropped
	d.pass(a, 0, 4)
	d.cancel(a)
}

func preemptedTwice(d *fakeEngine) {
	a, f := preemptedAfterSampling(d)
	d.admit(a, 3, 4)
	d.preempt(a)
	d.settle(f)
	d.admit(a, 0, 1)
	d.pass(a, 0, 4)
	d.cancel(a)
}

// tailed is a request of client 1 whose whole prompt was found, and whose last block is being copied.
func tailed(d *fakeEngine) (*party, cache.OpID) {
	a := d.submit(0, amber, 1, 2, 3, 4)
	d.admit(a, 0, 1, 2)
	d.pass(a, 0, 4)
	d.publish(a, 0, 0)
	d.publish(a, 1, 0)
	b := d.submit(1, amber, 1, 2, 3, 4)
	d.adopt(b, 0)
	d.take(b, 3)
	d.adopt(b, 1)
	op, c := d.copyTail(b)
	d.CopyBlock(op, c)
	d.Op(cache.Finished, op, cache.CopyQueue)
	d.cancel(a)
	return b, op
}

func tailCopy(d *fakeEngine) {
	b, op := tailed(d)
	d.settleCopy(b, op)
	d.admit(b)
	d.pass(b, 3, 4)
	d.publish(b, 3, 0)
	d.take(b, 4)
	d.pass(b, 4, 5)
	d.cancel(b)
}

func copyThenPreempt(d *fakeEngine) {
	b, op := tailed(d)
	r := d.leave(b, cache.LostBlocks, cache.ByPreempt)
	d.Op(cache.Settled, op, cache.CopyQueue)
	d.release(r, b.table, true) // what waited for the copy
	b.table = nil
	d.admit(b, 3, 4)
	d.pass(b, 0, 4)
	d.cancel(b)
}

func nameAgain(d *fakeEngine) {
	a := served(d)
	d.Rejected(1, ask(amber, 1), protocol.NameLive, true)
	f := d.issue(span{a, 3, 4})
	d.finish(f)
	d.Op(cache.Settled, f.op, cache.PassQueue)
	a.tokens = append(a.tokens, d.answer(a, 4))
	d.move(a, cache.Advanced, cache.ByToken)
	d.Cancelled(0)
	r := d.leave(a, cache.Ended, cache.ByCancel)
	d.release(r, a.table, true)
	d.clearRow(a, r)
	b := d.accept(1, 0, ask(teal, 5, 6)) // the same slot, another client
	d.admit(b, 0)
	d.Delivered(0, a.tokens[4])
	d.pass(b, 0, 2)
	d.Ended(0, EndCancelled)
	d.cancel(b)
}

func slotAgain(d *fakeEngine) {
	d.cancel(served(d))
	b := d.accept(0, 0, ask(teal, 1, 2, 3))
	d.admit(b, 1, 0)
	d.pass(b, 0, 3)
	d.cancel(b)
}

func foundLater(d *fakeEngine) {
	a := served(d)
	d.publish(a, 0, 0)
	d.cancel(a)
	b := d.accept(0, 1, ask(amber, 1, 2, 8))
	d.adopt(b, 0)
	d.admit(b, 1)
	d.pass(b, 2, 3)
	d.cancel(b)
}

func failedAdmission(d *fakeEngine) {
	a := served(d)
	d.publish(a, 0, 0)
	b := d.submit(1, amber, 1, 2, 4)
	d.adopt(b, 0)
	d.release(b.req, b.table, true)
	b.table = nil
	d.cancel(a)
	d.adopt(b, 0)
	d.admit(b, 2)
	d.pass(b, 2, 3)
	d.cancel(b)
}

func computedTwice(d *fakeEngine) {
	a := served(d)
	d.finish(d.issue(span{a, 0, 1}))
	d.publish(a, 0, 0)
	d.Op(cache.Settled, d.op, cache.PassQueue)
	b := d.submit(1, amber, 1, 2, 4)
	d.adopt(b, 0)
	d.admit(b, 2)
	d.pass(b, 2, 3)
	d.cancel(a)
	d.cancel(b)
}

func chunks(d *fakeEngine) {
	a := d.submit(0, amber, 1, 2, 3, 4, 5)
	d.admit(a, 0)
	d.pass(a, 0, 1)
	d.take(a, 5)
	d.pass(a, 1, 4)
	d.take(a, 3)
	d.pass(a, 4, 5)
	d.publish(a, 0, 0)
	d.publish(a, 5, 0)
	d.cancel(a)
}
