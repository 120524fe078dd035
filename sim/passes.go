package sim

import (
	"slices"

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
func (n *Node) requestPlan(at Time) {
	l := &n.world.effects
	if n.Claims.Queues == 1 && l.out[cache.PassQueue] >= n.Claims.Depth {
		return
	}
	if i := l.find(StepPlan); i >= 0 {
		if l.list[i].Due <= at {
			return
		}
		l.remove(i)
	}
	l.add(Effect{Due: at, Kind: StepPlan, From: EnginePlace(n.index), To: EnginePlace(n.index)})
}

// planNow is the step in which the engine plans.
func (n *Node) planNow() {
	n.world.effects.pop()
	n.world.begin(StepPlan)
	n.plans()
}

// plans asks the engine for plans until it has none, and issues them.
func (n *Node) plans() {
	l, w := &n.world.effects, n.world
	if i := l.find(StepPlan); i >= 0 {
		l.remove(i)
	}
	for fuel := planFuel; l.find(StepRefuse) < 0 && n.door.Plan(&w.plan); fuel-- {
		if fuel == 0 {
			panic("sim: the scheduler plans without end")
		}
		n.issue()
	}
	if n.Engine.More() {
		n.requestPlan(w.now + 1)
	}
}

// issue hands a plan to the worker. Its refusals are on their way back; until they have arrived nothing is planned.
func (n *Node) issue() {
	w, p := n.world, &n.world.plan
	refused := n.Worker.Issue(p)
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
		n.issueCopy(o, p.Copies[0].Req)
	} else {
		o.Finish = start + passCost(p)
		n.issuePass(o, p)
	}
	l.free[p.Queue] = o.Finish
	l.add(Effect{
		Due: o.Finish, Kind: StepFinish, Queue: p.Queue, From: EnginePlace(n.index), To: WorkerPlace(n.index), Op: o,
	})
	if len(refused) > 0 {
		l.add(Effect{
			Due: w.now, Kind: StepRefuse, From: WorkerPlace(n.index), To: EnginePlace(n.index), Of: p.Op,
			Refused: slices.Clone(refused),
		})
	}
	if len(refused) > 0 {
		w.saw(Fact{Kind: Issued, Operation: o, Plan: p, Refused: refused})
	} else {
		w.hearers.pass(Issued, o, p)
	}
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
func (n *Node) issuePass(o *Operation, p *protocol.Plan) {
	n.world.work.Passes++
	for i := range p.Rows {
		r := p.Rows[i].Req
		o.Rows = append(o.Rows, r)
		if c := n.client(r); c != nil {
			c.Issued++
			c.issuedFor(o.Op)
			n.world.inject(o, r, c.Issued, traces.FailPass, traces.Delay)
		}
	}
}

// issueCopy counts a copy for its request, and lets armed faults strike it.
func (n *Node) issueCopy(o *Operation, r cache.Req) {
	n.world.work.Copies++
	o.Rows = append(o.Rows, r)
	if c := n.client(r); c != nil {
		c.issuedFor(o.Op)
	}
	n.world.inject(o, r, 0, traces.FailCopy, traces.Stall)
}

// finish lets the worker touch memory for an operation.
func (n *Node) finish() {
	w := n.world
	o := w.effects.pop().Op
	w.begin(StepFinish)
	if w.faults.fails(o) {
		n.Worker.Drop(o.Op)
		o.Lost = true
	} else {
		o.Lost = !n.Worker.Finish(o.Op, &o.Result)
	}
	for i := range o.Result.Rows {
		r := &o.Result.Rows[i]
		w.work.Tokens += int64(len(r.Tokens))
		if c := n.client(r.Req); c != nil {
			c.Done++
		}
	}
	w.effects.add(Effect{
		Due: o.Finish + settleTicks, Kind: StepSettle, Queue: o.Queue, From: WorkerPlace(n.index), To: EnginePlace(n.index), Op: o,
	})
	w.hearers.pass(Finished, o, nil)
}

// settle brings an operation's result, or the news of its loss, to the engine. It is under way until the engine has it.
func (n *Node) settle() {
	w := n.world
	o := w.effects.list[0].Op
	if o.Lost {
		w.begin(StepLost)
		n.lose(o)
		n.requestPlan(w.now)
		return
	}
	w.begin(StepSettle)
	if n.countSettled(o) {
		w.saw(Fact{Kind: Settling, Operation: o, Late: true})
	} else {
		w.hearers.pass(Settling, o, nil)
	}
	n.door.Settle(&o.Result)
	w.effects.pop()
	w.effects.retire(o)
	if w.cfg.engine[traces.Loop] == 1 {
		n.plans()
	} else {
		n.requestPlan(w.now)
	}
}

// countSettled counts a pass for its requests, and reports whether it comes too late for one of them.
func (n *Node) countSettled(o *Operation) (late bool) {
	for i := range o.Result.Rows {
		if c := n.client(o.Result.Rows[i].Req); c != nil {
			c.Settled++
		} else {
			late = true
		}
	}
	return late
}

// lose tells the engine of a failed operation. A failed pass takes all later passes with it.
func (n *Node) lose(o *Operation) {
	w := n.world
	w.hearers.pass(Settling, o, nil)
	if _, can := n.Engine.(engine.Loser); !can {
		panic("sim: the worker loses an operation of an engine that survives no loss")
	}
	n.door.(engine.Loser).Lost(o.Op, o.Queue)
	w.effects.pop()
	w.effects.retire(o)
	if o.Queue != cache.PassQueue {
		return
	}
	w.effects.dropQueue(o.Queue, n.Worker.Drop)
	w.faults.lostPass = false
	w.effects.free[o.Queue] = w.now
}

// takeRefusals brings a worker's refusals to the engine.
func (n *Node) takeRefusals() {
	w := n.world
	e := w.effects.pop()
	w.begin(StepRefuse)
	w.saw(Fact{Kind: Refusing, Op: e.Of, Refused: e.Refused})
	for i := range e.Refused {
		if c := n.client(e.Refused[i].Req); c != nil {
			c.Last = c.Prior // the refused pass does not carry it
		}
	}
	if !n.Can(traces.Refuse) {
		panic("sim: the worker refuses a row of an engine that takes no refusals")
	}
	n.door.(engine.Refusable).Refused(e.Of, e.Refused)
	n.requestPlan(w.now)
}

// send puts the engine's outputs on their way; over a link of no ticks they arrive within the step.
func (n *Node) send() {
	w := n.world
	link := Time(w.cfg.engine[traces.Link])
	list := n.door.Outputs()
	for k := range list {
		out := &list[k]
		i := w.roster.bySlot[out.Req.Slot]
		c := &w.roster.clients[i]
		if out.Why == protocol.NoReason {
			c.Tokens++
			w.hearers.message(Output, i, out)
		} else {
			c.Ended = true
			w.hearers.message(Ending, i, out)
		}
		if link == 0 {
			w.receive(i, out)
			continue
		}
		w.hearers.message(Sent, i, out)
		w.effects.add(Effect{Due: w.now + link, Kind: StepDeliver, From: EnginePlace(n.index), To: Place(i), Output: *out})
	}
}
