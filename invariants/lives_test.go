package invariants

import (
	"testing"

	"custody/cache"
)

func TestALifeThatIsNotLivedOnceBreaksOnce(t *testing.T) {
	play(t, []scene{
		{"a transition of a life that is over", func(d *fakeEngine) {
			a := served(d)
			r := a.req
			d.preempt(a)
			d.Life(r, cache.Running, cache.NoCause)
		}, []Breach{plainly(Once, 0)}},
		{"a second end", func(d *fakeEngine) {
			a := served(d)
			r := a.req
			d.cancel(a)
			d.Life(r, cache.Ended, cache.ByCancel)
		}, []Breach{plainly(Once, 0)}},
		{"a transition of a life that has not begun", func(d *fakeEngine) {
			a := served(d)
			d.cancel(a)
			d.Life(a.req, cache.LostBlocks, cache.ByRefusal)
		}, []Breach{plainly(Once, 0)}},
		{"a transition from a state that it is not in", func(d *fakeEngine) {
			a := d.submit(0, amber, 1, 2, 3)
			d.Life(a.req, cache.Loaded, cache.NoCause)
		}, []Breach{plainly(Once, 0)}},
		{"a token that nobody sampled", func(d *fakeEngine) {
			a := served(d)
			d.move(a, cache.Advanced, cache.ByToken)
		}, []Breach{plainly(Once, 0)}},
		{"a token taken in twice, while it waits", func(d *fakeEngine) {
			a, f := preemptedAfterSampling(d)
			d.Op(cache.Settled, f.op, cache.PassQueue)
			d.token(a)
			d.move(a, cache.Advanced, cache.ByToken)
		}, []Breach{plainly(Once, 0)}},
		{"a token of the life before, taken in by the next one", func(d *fakeEngine) {
			a, f := preemptedAfterSampling(d)
			d.admit(a, 0, 1)
			d.Op(cache.Settled, f.op, cache.PassQueue)
			d.token(a)
		}, []Breach{plainly(Once, 0)}},
		{"an end that is told twice", func(d *fakeEngine) {
			d.cancel(served(d))
			d.Ended(0, EndCancelled)
		}, []Breach{plainly(Once, 0)}},
		{"a cancellation that nobody asked for", func(d *fakeEngine) {
			d.end(served(d), cache.ByCancel, EndCancelled)
		}, []Breach{plainly(Once, 0)}},
		{"an end that is never told", func(d *fakeEngine) {
			d.part(served(d), cache.Ended, cache.ByCancel)
			d.AtRest()
		}, []Breach{plainly(Once, 0)}},
		{"nothing of this: a tenant that the engine should not know is no reason to crash", func(d *fakeEngine) {
			d.cancel(d.submit(0, -1, 1, 2, 3))
		}, []Breach{plainly(Progress, 0)}},
		{"nothing: cancelled, told, and at rest", func(d *fakeEngine) {
			d.cancel(served(d))
			d.AtRest()
		}, nil},
		{"nothing: refused by the worker", func(d *fakeEngine) {
			d.end(served(d), cache.ByRefusal, EndRefused)
			d.AtRest()
		}, nil},
	})
}

// preemptedAfterSampling is a request that lost its blocks between the sampling of a token and its settlement.
func preemptedAfterSampling(d *fakeEngine) (*party, *flight) {
	a := served(d)
	f := d.issue(span{a, 3, 4})
	d.finish(f)
	d.preempt(a)
	return a, f
}

// decoded is a request that ended in its fourth answer token.
func decoded(d *fakeEngine) *party {
	a := served(d)
	d.pass(a, 3, 4)
	d.take(a, 4)
	d.pass(a, 4, 5)
	d.pass(a, 5, 6)
	return a
}

func TestATokenThatGoesAstrayBreaksRoute(t *testing.T) {
	play(t, []scene{
		{"another token than the one sampled", func(d *fakeEngine) {
			a := served(d)
			f := d.issue(span{a, 3, 4})
			d.finish(f)
			d.Delivered(0, d.answer(a, 4)+1)
		}, []Breach{plainly(Route, 0).at(4)}},
		{"a token that has not been sampled yet, though it is the right one", func(d *fakeEngine) {
			a := served(d)
			d.Delivered(0, d.answer(a, 4))
		}, []Breach{plainly(Route, 0).at(4)}},
		{"token 0, which nobody sampled", func(d *fakeEngine) {
			served(d)
			d.Delivered(0, 0)
		}, []Breach{plainly(Route, 0).at(4)}},
		{"the token that an earlier request of the client's number was given", func(d *fakeEngine) {
			d.cancel(served(d))
			a := d.accept(0, 1, ask(amber, 1, 2, 3))
			d.Delivered(0, d.answer(a, 3))
		}, []Breach{plainly(Route, 0).at(3)}},
		{"the same, where a later position was sampled", func(d *fakeEngine) {
			d.cancel(served(d))
			a := d.accept(0, 1, ask(amber, 1, 2, 3))
			d.Sampled(0, a.req, 4, d.answer(a, 4))
			d.Delivered(0, d.answer(a, 3))
		}, []Breach{plainly(Route, 0).at(3)}},
		{"a token of another client", func(d *fakeEngine) {
			a := served(d)
			b := beside(d, teal, 5, 6, 7)
			f := d.issue(span{a, 3, 4}, span{b, 3, 4})
			d.finish(f)
			d.Delivered(1, d.answer(a, 4))
		}, []Breach{plainly(Route, 1).at(4)}},
		{"a token twice", func(d *fakeEngine) {
			a := served(d)
			d.Delivered(0, a.tokens[3])
		}, []Breach{plainly(Route, 0).at(4)}},
		{"a token after the end", func(d *fakeEngine) {
			d.cancel(served(d))
			d.Delivered(0, 1)
		}, []Breach{plainly(Route, 0)}},
		{"a token too many", func(d *fakeEngine) {
			a := served(d)
			for p := int32(4); p < 7; p++ {
				d.Sampled(d.op, a.req, p, d.answer(a, p))
				d.Delivered(0, d.answer(a, p))
			}
			d.Delivered(0, 1)
		}, []Breach{plainly(Route, 0)}},
		{"an end by length with a token missing", func(d *fakeEngine) {
			d.Ended(served(d).client, EndLength)
		}, []Breach{plainly(Once, 0), plainly(Route, 0)}},
		{"a stop without a stop token", func(d *fakeEngine) {
			d.Ended(served(d).client, EndStop)
		}, []Breach{plainly(Once, 0), plainly(Route, 0)}},
		{"a stop without any token", func(d *fakeEngine) {
			d.Ended(d.submit(0, amber, 1).client, EndStop)
		}, []Breach{plainly(Once, 0), plainly(Route, 0)}},
		{"nothing: an answer of full length", func(d *fakeEngine) { decoded(d) }, nil},
		{"nothing: an answer that stops at its stop token", func(d *fakeEngine) {
			a := ask(amber, 1, 2, 3)
			d.Submitted(0, a)
			a.EOS = d.accounts.expected(&d.accounts.list[0], 3)
			p := d.accept(0, 0, a)
			d.admit(p, 0, 1)
			d.pass(p, 0, 3)
		}, nil},
	})
}

func TestATokenThatARequestWouldNotGetAloneBreaksSolo(t *testing.T) {
	sampled := func(off cache.Token) func(d *fakeEngine) {
		return func(d *fakeEngine) {
			a := served(d)
			d.Sampled(d.op, a.req, 4, d.answer(a, 4)+off)
		}
	}
	play(t, []scene{
		{"the next token by number", sampled(1), []Breach{plainly(Solo, 0).at(4)}},
		{"nothing: the right one", sampled(0), nil},
	})
}

func TestWhatIsHeldWhenNothingLivesBreaksDrain(t *testing.T) {
	play(t, []scene{
		{"a block", func(d *fakeEngine) {
			a := served(d)
			r := d.leave(a, cache.Ended, cache.ByRefusal)
			d.clearRow(a, r)
			d.Ended(0, EndRefused)
			d.AtRest()
		}, []Breach{plainly(Drain, -1).in(0)}},
		{"a row", func(d *fakeEngine) {
			a := served(d)
			d.release(d.leave(a, cache.Ended, cache.ByRefusal), a.table, true)
			d.Ended(0, EndRefused)
			d.AtRest()
		}, []Breach{plainly(Drain, 0)}},
		{"an operation", func(d *fakeEngine) {
			a := served(d)
			d.issue(span{a, 3, 4})
			d.end(a, cache.ByRefusal, EndRefused)
			d.AtRest()
		}, []Breach{plainly(Drain, -1)}},
		{"a place in a quota", func(d *fakeEngine) {
			d.Ended(d.submit(0, teal, 1).client, EndRefused)
			d.AtRest()
		}, []Breach{plainly(Once, 0), plainly(Drain, -1)}},
		{"nothing: all is given back", func(d *fakeEngine) {
			decoded(d)
			d.AtRest()
		}, nil},
	})
}

func TestADrainThatDoesNotEndBreaksProgressAndACrashAlive(t *testing.T) {
	play(t, []scene{
		{"a drain that does not end, by the request that waits", func(d *fakeEngine) {
			d.cancel(d.submit(0, amber, 1))
			d.submit(1, amber, 1)
			d.Drained(false)
		}, []Breach{plainly(Progress, 1)}},
		{"a drain that does not end, though nobody waits", func(d *fakeEngine) { d.Drained(false) },
			[]Breach{plainly(Progress, -1)}},
		{"a crash", func(d *fakeEngine) { d.Crashed("cache.(*Pool).pop: index") }, []Breach{plainly(Alive, -1)}},
		{"nothing: a drain that ends, an event that comes to its end", func(d *fakeEngine) {
			d.Drained(true)
			d.EndStep()
		}, nil},
	})
}
