package sim

import (
	"slices"

	"custody/cache"
	"custody/invariants"
	"custody/scheduler/protocol"
	"custody/traces"
)

// fault is a fault that a script has armed and that has not struck yet. It means one life of a request.
type fault struct {
	kind  traces.Verb
	req   cache.Req
	nth   int32 // the life's pass, from 1, that it strikes; of a failing allocation the entry of its table, from 0
	by    Time
	final bool
	index int // script event
}

// faults are what may go wrong in the engine because a script says so. The engine knows nothing of them: its pool and its
// worker ask whether they may go on.
type faults struct {
	armed    []fault
	failed   []failedAlloc // in the present step
	didArm   bool          // the present event has armed a fault
	lostPass bool          // a pass has failed, and the scheduler does not know yet: those behind it are lost too
}

// failedAlloc is an allocation that a fault has made fail.
type failedAlloc struct {
	index int
	aside int32 // blocks that had been set aside for it by then
}

func (f *faults) reset() {
	*f = faults{armed: f.armed[:0], failed: f.failed[:0]}
}

func (f *faults) cloneInto(dst *faults) {
	armed, failed := append(dst.armed[:0], f.armed...), append(dst.failed[:0], f.failed...)
	*dst = *f
	dst.armed, dst.failed = armed, failed
}

// arm readies a fault for the request's present life. A pass that has been issued already is never struck.
func (w *world) arm(c *client, e *traces.Event, index int) bool {
	r := w.sched.Current(c.req.Slot)
	f := fault{kind: e.Verb, req: r, nth: e.Int(traces.NthChunk), by: Time(e.Args[traces.By]), index: index}
	switch e.Verb {
	case traces.FailAlloc:
		f.nth = e.Int(traces.NthBlock)
	case traces.Refuse:
		if f.nth <= w.issued(r) {
			return false
		}
		w.ledger.Injected(w.bySlot[r.Slot])
		f.final = e.Has(traces.Final)
	}
	w.faults.armed = slices.DeleteFunc(w.faults.armed, func(f fault) bool { return w.sched.Current(f.req.Slot) != f.req })
	w.faults.armed = append(w.faults.armed, f)
	w.faults.didArm = e.Verb != traces.Refuse
	return !w.faults.didArm // it has no effect until it strikes
}

// issued is how many passes have been issued for a life.
func (w *world) issued(r cache.Req) int32 {
	if c := w.life(r); c != nil {
		return c.issued
	}
	return 0
}

// due takes out the fault of a kind that is due for a life.
func (f *faults) due(kind traces.Verb, r cache.Req, nth int32) (fault, bool) {
	for i, x := range f.armed {
		if x.kind == kind && x.req == r && x.nth == nth {
			f.armed = slices.Delete(f.armed, i, i+1)
			return x, true
		}
	}
	return fault{}, false
}

// vetoBlock makes an allocation fail for which a fault is due.
func (f *faults) vetoBlock(r cache.Req, entry, aside int32) bool {
	x, due := f.due(traces.FailAlloc, r, entry)
	if due {
		f.failed = append(f.failed, failedAlloc{index: x.index, aside: aside})
	}
	return due
}

// vetoRow refuses a row of a pass that is being issued, if a fault says so.
func (w *world) vetoRow(p *protocol.Row) (protocol.Refusal, bool) {
	if len(w.faults.armed) == 0 {
		return protocol.Refusal{}, false
	}
	x, due := w.faults.due(traces.Refuse, p.Req, w.issued(p.Req)+1)
	return protocol.Refusal{Req: p.Req, Why: protocol.Injected, Final: x.final}, due
}

// coverFailedAllocs counts the allocations that have failed in this step.
func (w *world) coverFailedAllocs() {
	for _, x := range w.faults.failed {
		w.coverage.Faults[traces.FailAlloc]++
		if x.aside > 0 {
			w.ledger.Hit(invariants.SecondBlockFailed)
		}
		w.fired(x.index)
	}
	w.faults.failed = w.faults.failed[:0]
}

// strikePass applies armed faults to a pass that has just been issued, and counts it for its requests.
func (w *world) strikePass(o *operation, p *protocol.Plan) {
	first := &w.clients[w.bySlot[p.Rows[0].Req.Slot]]
	for i := range p.Rows {
		r := p.Rows[i].Req
		o.rows = append(o.rows, r)
		c := w.life(r)
		if c == nil {
			continue
		}
		w.markIssued(c, first)
		c.issued++
		c.carried(o.op)
		w.strike(o, r, c.issued, traces.FailPass, traces.Delay)
	}
}

// strikeCopy applies armed faults to a copy that has just been issued.
func (w *world) strikeCopy(o *operation, r cache.Req) {
	o.rows = append(o.rows, r)
	if c := w.life(r); c != nil {
		c.carried(o.op)
	}
	w.strike(o, r, 0, traces.FailCopy, traces.Stall)
}

// carried notes that an operation has been issued for the request.
func (c *client) carried(op cache.OpID) { c.prior, c.last = c.last, op }

func (w *world) strike(o *operation, r cache.Req, nth int32, fail, slow traces.Verb) {
	for i := 0; i < len(w.faults.armed); {
		f := w.faults.armed[i]
		if f.req != r || (f.kind != fail && f.kind != slow) || (nth > 0 && f.nth != nth) {
			i++
			continue
		}
		if f.kind == fail {
			o.fails = true
		} else {
			o.finish += f.by
		}
		w.coverage.Faults[f.kind]++
		w.fired(f.index)
		w.faults.armed = append(w.faults.armed[:i], w.faults.armed[i+1:]...)
	}
}

// fired notes that an event of the script has had an effect.
func (w *world) fired(index int) {
	if w.onFire != nil {
		w.onFire(index)
	}
}
