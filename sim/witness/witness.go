// Package witness speaks for an engine that reports no facts. It stands in front of the engine, lets every call through, and
// derives what happened from what the engine cannot hide: plans, results, outputs, where its requests stand, and its claims.
//
//	world ──Submit, Plan, Settle …──▶ witness ──▶ engine under test
//	                                     │
//	                                     └─ Block, Life, Count, Op ──▶ observers
//
// It tells of a plan before the worker hears of it. What no plan shows it does not tell: attempts that failed, the order of
// victims, evictions before a block is handed out. Promises that need this are not checked: see invariants.Hidden.
package witness

import (
	"slices"

	"custody/cache"
	"custody/scheduler"
	"custody/scheduler/protocol"
	"custody/sim/engine"
)

// Engine is an engine with its witness. The optional abilities are those of the engine: ask it for them.
type Engine struct {
	engine.Engine
	claims  engine.Claims
	size    int32 // positions of a block
	obs     cache.Observer
	lives   []life // by slot of the request table
	blocks  []block
	ops     []operation // outstanding, in the order of issue
	leaving []leaving
	out     []protocol.Output
}

// life is the present life of a slot.
type life struct {
	req   cache.Req
	phase phase
	table []cache.BlockID
	filed int32      // leading blocks that need no publishing any more
	last  cache.OpID // that carried the request
}

// phase is where a life stands.
type phase uint8

const (
	over phase = iota
	waits
	loads // a copy is to fill one of its blocks
	runs
)

// block is what is known of one block.
type block struct {
	refs  int32
	found bool       // it can be found by content
	by    cache.Req  // of one that can be found: who published it
	op    cache.OpID // and the pass that is still to write it, or 0
}

// operation is what has been issued and has not settled.
type operation struct {
	op    cache.OpID
	queue cache.Queue
	rows  []row
}

type row struct {
	req     cache.Req
	end     int32 // positions up to here are computed
	refused bool
}

// leaving is a reference that ends when an operation has settled.
type leaving struct {
	req   cache.Req
	block cache.BlockID
	after cache.OpID
}

// New puts a witness in front of an engine that has heard its setup, and has claimed this of itself.
func New(e engine.Engine, s engine.Setup, c engine.Claims) *Engine {
	return &Engine{
		Engine: e, claims: c, size: s.Layout.BlockTokens, lives: make([]life, c.Slots), blocks: make([]block, s.Layout.Blocks),
	}
}

// Hello implements engine.Engine: the witness forgets everything.
func (w *Engine) Hello(s engine.Setup) (engine.Claims, error) {
	for i := range w.lives {
		w.lives[i] = life{table: w.lives[i].table[:0]}
	}
	clear(w.blocks)
	w.ops, w.leaving, w.out = w.ops[:0], w.leaving[:0], w.out[:0]
	return w.Engine.Hello(s)
}

// Attach implements engine.Engine: the witness is heard in the engine's place.
func (w *Engine) Attach(o cache.Observer) { w.obs = o }

// CloneInto implements engine.Cloner, for an engine that does.
func (w *Engine) CloneInto(dst engine.Engine) {
	d := dst.(*Engine)
	w.Engine.(engine.Cloner).CloneInto(d.Engine)
	for i := range w.lives {
		table := append(d.lives[i].table[:0], w.lives[i].table...)
		d.lives[i] = w.lives[i]
		d.lives[i].table = table
	}
	copy(d.blocks, w.blocks)
	d.ops = slices.Clone(w.ops)
	for i := range d.ops {
		d.ops[i].rows = slices.Clone(w.ops[i].rows)
	}
	d.leaving, d.out = append(d.leaving[:0], w.leaving...), append(d.out[:0], w.out...)
}

// Submit implements engine.Engine.
func (w *Engine) Submit(now engine.Time, s *protocol.Spec) (cache.Req, protocol.Reason) {
	r, why := w.Engine.Submit(now, s)
	if why == protocol.NoReason {
		x := &w.lives[r.Slot]
		*x = life{req: r, phase: waits, table: x.table[:0]}
		w.tell(r, cache.Accepted, cache.NoCause)
	}
	w.hear(cache.ByPreempt)
	return r, why
}

// Cancel implements engine.Engine.
func (w *Engine) Cancel(r cache.Req) bool {
	done := w.Engine.Cancel(r)
	w.hear(cache.ByPreempt)
	return done
}

// Preempt implements engine.Preempter, for an engine that does.
func (w *Engine) Preempt(r cache.Req) bool {
	done := w.Engine.(engine.Preempter).Preempt(r)
	w.hear(cache.ByPreempt)
	return done
}

// ResetPrefix implements engine.Engine. Nothing is found from now on that was published before, even if the engine has to
// wait until it can forget it.
func (w *Engine) ResetPrefix(force bool) bool {
	done := w.Engine.ResetPrefix(force)
	w.hear(cache.ByPreempt)
	if done {
		w.withdraw(func(*block) bool { return true })
	}
	return done
}

// Outputs implements engine.Engine.
func (w *Engine) Outputs() []protocol.Output {
	w.hear(cache.ByPreempt)
	out := w.out
	w.out = w.out[:0]
	return out
}

// hear takes in what the engine has for its clients, and where its requests stand. Cause is why one may have lost its blocks.
func (w *Engine) hear(why cache.Cause) {
	w.leave(why)
	w.seat()
}

// seat takes in who does not wait any more, although no plan may have shown it yet.
func (w *Engine) seat() {
	for slot := range w.lives {
		x := &w.lives[slot]
		if x.phase != waits {
			continue
		}
		if s := w.View(x.req).State; s == scheduler.Prefill || s == scheduler.Decode {
			w.run(x)
		}
	}
}

// run takes in that a request is one of those that run.
func (w *Engine) run(x *life) {
	w.tell(x.req, cache.Running, cache.NoCause)
	x.phase = runs
}

// leave takes in who has ended or lost its blocks.
func (w *Engine) leave(why cache.Cause) {
	from := len(w.out)
	w.out = append(w.out, w.Engine.Outputs()...)
	for i := from; i < len(w.out); i++ {
		w.output(i, why)
	}
	for slot := range w.lives {
		x := &w.lives[slot]
		if x.phase == over {
			continue
		}
		switch now := w.View(x.req); {
		case now.State == scheduler.Absent || now.State == scheduler.Ended:
			w.end(x, cache.NoCause)
		case now.Life != x.req:
			w.loses(x, now.Life, why)
		}
	}
}

// output takes in a message. A last token and the end that follows it are one thing.
func (w *Engine) output(i int, why cache.Cause) {
	o := &w.out[i]
	x := &w.lives[o.Req.Slot]
	if x.phase != over && x.req != o.Req {
		w.loses(x, o.Req, why)
	}
	switch {
	case o.Why != protocol.NoReason:
		w.end(x, endCause(o.Why, i > 0 && isToken(&w.out[i-1], o.Req)))
	case i+1 == len(w.out) || w.out[i+1].Req != o.Req || !normal(w.out[i+1].Why):
		w.tell(o.Req, cache.Advanced, cache.ByToken)
	}
}

func isToken(o *protocol.Output, r cache.Req) bool { return o.Why == protocol.NoReason && o.Req == r }

// normal tells whether a request came to its end by itself.
func normal(why protocol.Reason) bool { return why == protocol.Stopped || why == protocol.LengthEnd }

// endCause is why a request has ended, and whether a last token came with it.
func endCause(why protocol.Reason, token bool) cache.Cause {
	switch {
	case why == protocol.Cancelled:
		return cache.ByCancel
	case !normal(why):
		return cache.ByRefusal
	case !token:
		return cache.NoCause
	case why == protocol.Stopped:
		return cache.ByStop
	}
	return cache.ByLength
}

// end takes in that a life has ended for good.
func (w *Engine) end(x *life, why cache.Cause) {
	w.tell(x.req, cache.Ended, why)
	x.phase = over
	w.release(x)
}

// loses takes in that a life has ended, and the request waits in its next one.
func (w *Engine) loses(x *life, next cache.Req, why cache.Cause) {
	w.tell(x.req, cache.LostBlocks, why)
	w.release(x)
	x.req, x.phase = next, waits
}

func (w *Engine) tell(r cache.Req, k cache.LifeKind, why cache.Cause) { w.obs.Life(r, k, why) }
