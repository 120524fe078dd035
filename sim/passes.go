package sim

import (
	"custody/cache"
	"custody/scheduler/protocol"
	"custody/sim/engine"
	"custody/traces"
)

// The derived events of operations: what follows from the engine's own doing.

// planFuel is how many plans one step may take. A plan is a pass, of which at most eight are outstanding, a copy, of which
// there are at most as many as rows, or names ended rows.
const planFuel = 1000

// requestPlan gives the engine a reason to plan, unless it could not: a pass that settles will give it one.
func (w *World) requestPlan(at Time) {
	l := &w.effects
	if c := &w.nodes[0].claims; c.Queues == 1 && l.out[cache.PassQueue] >= c.Depth {
		return
	}
	if i := l.find(StepPlan); i >= 0 {
		if l.list[i].Due <= at {
			return
		}
		l.remove(i)
	}
	l.add(Effect{Due: at, Kind: StepPlan})
}

// planNow is the step in which the engine plans.
func (w *World) planNow() {
	w.effects.take()
	w.begin(StepPlan)
	w.plans()
}

// plans asks the engine for plans until it has none, and issues them.
func (w *World) plans() {
	l, e := &w.effects, w.nodes[0].engine
	if i := l.find(StepPlan); i >= 0 {
		l.remove(i)
	}
	for fuel := planFuel; l.find(StepRefuse) < 0 && e.Plan(&w.plan); fuel-- {
		if fuel == 0 {
			panic("sim: the scheduler plans without end")
		}
		w.issue()
	}
	if e.More() {
		w.requestPlan(w.now + 1)
	}
}

// issue hands a plan to the worker. Its refusals are on their way back; until they have arrived nothing is planned.
func (w *World) issue() {
	p := &w.plan
	refused := w.nodes[0].worker.Issue(p)
	if p.Op == 0 {
		w.saw(Fact{Kind: Cleared, Plan: p})
		return
	}
	l := &w.effects
	o := l.newOperation(p.Queue)
	o.Op = p.Op
	start := max(w.now, l.free[p.Queue])
	if p.Queue == cache.CopyQueue {
		o.Finish = start + Time(w.cfg.engine[traces.Copy])
		w.work.Copies++
		w.issueCopy(o, p.Copies[0].Req)
	} else {
		o.Finish = start + passCost(p)
		w.work.Passes++
		w.issuePass(o, p)
	}
	l.free[p.Queue] = o.Finish
	l.add(Effect{Due: o.Finish, Kind: StepFinish, Queue: p.Queue, From: Place{Role: AtEngine}, To: Place{Role: AtWorker}, Op: o})
	if len(refused) > 0 {
		list := append([]protocol.Refusal(nil), refused...)
		l.add(Effect{Due: w.now, Kind: StepRefuse, From: Place{Role: AtWorker}, Refused: &Refused{p.Op, list}})
	}
	w.saw(Fact{Kind: Issued, Op: p.Op, Queue: p.Queue, Plan: p, Due: o.Finish, Refused: refused})
}

func passCost(p *protocol.Plan) Time {
	tokens, reads := int32(0), int32(0)
	for i := range p.Rows {
		tokens += p.Rows[i].N
		reads += p.Rows[i].Start + p.Rows[i].N
	}
	return passTime(tokens, reads)
}

// issuePass counts a pass for its requests, and lets armed faults strike it.
func (w *World) issuePass(o *Operation, p *protocol.Plan) {
	for i := range p.Rows {
		r := p.Rows[i].Req
		o.Rows = append(o.Rows, r)
		if c := w.ClientOf(r); c != nil {
			c.Issued++
			c.carries(o.Op)
			w.strike(o, r, c.Issued, traces.FailPass, traces.Delay)
		}
	}
}

// issueCopy lets armed faults strike a copy.
func (w *World) issueCopy(o *Operation, r cache.Req) {
	o.Rows = append(o.Rows, r)
	if c := w.ClientOf(r); c != nil {
		c.carries(o.Op)
	}
	w.strike(o, r, 0, traces.FailCopy, traces.Stall)
}

// finish lets the worker touch memory for an operation.
func (w *World) finish() {
	e := w.effects.take()
	w.begin(StepFinish)
	o, worker := e.Op, w.nodes[0].worker
	if w.fails(e.Queue, o) {
		worker.Drop(o.Op)
		o.Lost = true
	} else {
		o.Lost = !worker.Finish(o.Op, &o.Result)
	}
	for i := range o.Result.Rows {
		r := &o.Result.Rows[i]
		w.work.Tokens += int64(len(r.Tokens))
		if c := w.ClientOf(r.Req); c != nil {
			c.Done++
		}
	}
	w.effects.add(Effect{Due: o.Finish + settleTicks, Kind: StepSettle, Queue: e.Queue, From: Place{Role: AtWorker}, Op: o})
	w.saw(Fact{Kind: Finished, Op: o.Op, Queue: e.Queue, Result: &o.Result, Rows: o.Rows, Lost: o.Lost})
}

// fails tells whether an operation is lost: because a fault has struck it, or one that its queue has issued before.
func (w *World) fails(q cache.Queue, o *Operation) bool {
	if q != cache.PassQueue {
		return o.fails
	}
	w.faults.lostPass = w.faults.lostPass || o.fails
	return w.faults.lostPass
}

// settle brings an operation's result, or the news of its loss, to the engine. It is under way until the engine has it.
func (w *World) settle() {
	e := w.effects.list[0]
	o := e.Op
	if o.Lost {
		w.begin(StepLost)
		w.lose(e.Queue, o)
		w.requestPlan(w.now)
		return
	}
	w.begin(StepSettle)
	late := false
	for i := range o.Result.Rows {
		if c := w.ClientOf(o.Result.Rows[i].Req); c != nil {
			c.Settled++
		} else {
			late = true
		}
	}
	w.saw(Fact{Kind: Settling, Op: o.Op, Queue: e.Queue, Result: &o.Result, Rows: o.Rows, Late: late})
	w.nodes[0].engine.Settle(&o.Result)
	w.effects.take()
	w.effects.retire(e.Queue, o)
	if w.cfg.engine[traces.Loop] == 1 {
		w.plans()
	} else {
		w.requestPlan(w.now)
	}
}

// lose tells the engine of a failed operation. A failed pass takes all later passes with it.
func (w *World) lose(q cache.Queue, o *Operation) {
	w.saw(Fact{Kind: Settling, Op: o.Op, Queue: q, Result: &o.Result, Rows: o.Rows, Lost: true})
	n := &w.nodes[0]
	n.engine.(engine.Loser).Lost(o.Op, q)
	w.effects.take()
	w.effects.retire(q, o)
	if q == cache.CopyQueue {
		return
	}
	w.effects.dropQueue(q, n.worker.Drop)
	w.faults.lostPass = false
	w.effects.free[q] = w.now
}

// takeRefusals brings a worker's refusals to the engine.
func (w *World) takeRefusals() {
	e := w.effects.take()
	w.begin(StepRefuse)
	w.saw(Fact{Kind: Refusing, Op: e.Refused.Op, Refused: e.Refused.Rows})
	for i := range e.Refused.Rows {
		if c := w.ClientOf(e.Refused.Rows[i].Req); c != nil {
			c.Last = c.Prior // the refused pass does not carry it
		}
	}
	w.nodes[0].engine.(engine.Refusable).Refused(e.Refused.Op, e.Refused.Rows)
	w.requestPlan(w.now)
}

// ClientOf returns the client of a request if the life is its present one, with the counts of that life.
func (w *World) ClientOf(r cache.Req) *Client {
	c := &w.roster.clients[w.roster.bySlot[r.Slot]]
	if c.Req.Slot != r.Slot || w.nodes[0].engine.View(r).Life != r {
		return nil
	}
	if c.gen != r.Gen {
		c.gen, c.Issued, c.Done, c.Settled = r.Gen, 0, 0, 0
	}
	return c
}
