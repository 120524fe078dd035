package sim

import (
	"custody/cache"
	"custody/scheduler/protocol"
	"custody/traces"
)

// fault is an armed fault: it strikes the pass that carries the life's n-th chunk, or the life's copy.
type fault struct {
	kind  traces.Verb
	req   cache.Req
	chunk int32 // passes of this life, from 1
	by    Time
	index int // script event
}

// arm readies a fault for the request's present life. A chunk that has been issued already is never struck.
func (w *world) arm(c *client, e *traces.Event, index int) bool {
	r := w.sched.Current(c.req.Slot)
	issued, chunk := int32(0), e.Int(traces.NthChunk)
	if w.life(r) != nil {
		issued = c.issued
	}
	if e.Verb == traces.Refuse {
		if chunk > issued {
			w.ledger.Injected(w.bySlot[r.Slot])
			w.runner.RefuseAt(r, chunk-issued, e.Has(traces.Final))
		}
		return chunk > issued
	}
	w.didArm = true
	w.armed = append(w.armed, fault{kind: e.Verb, req: r, chunk: chunk, by: Time(e.Args[traces.By]), index: index})
	return false // until it strikes
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

func (w *world) strike(o *operation, r cache.Req, chunk int32, fail, slow traces.Verb) {
	for i := 0; i < len(w.armed); {
		f := w.armed[i]
		if f.req != r || (f.kind != fail && f.kind != slow) || (chunk > 0 && f.chunk != chunk) {
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
		w.armed = append(w.armed[:i], w.armed[i+1:]...)
	}
}

// fired notes that an event of the script has had an effect.
func (w *world) fired(index int) {
	if w.onFire != nil {
		w.onFire(index)
	}
}
