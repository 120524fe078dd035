package sim

import (
	"custody/cache"
	"custody/invariants"
	"custody/scheduler/protocol"
	"custody/traces"
)

// The derived events: what follows from the engine's own doing.

// planFuel is how many plans one step may take. A plan is a pass, of which at most eight are outstanding, a copy, of which
// there are at most as many as rows, or names ended rows.
const planFuel = 1000

// replan asks the scheduler for plans until it has none, and issues them.
func (w *world) replan() {
	w.wake = false
	for fuel := planFuel; len(w.refusals) == 0 && w.sched.Plan(&w.plan); fuel-- {
		if fuel == 0 {
			panic("sim: the scheduler plans without end")
		}
		w.issue()
	}
	if w.sched.Retry() {
		w.stir(w.now + 1)
	}
}

// issue hands a plan to the worker. Its refusals are on their way back; until they have arrived nothing is planned.
func (w *world) issue() {
	p := &w.plan
	refused := w.runner.Issue(p)
	w.digest.Add(uint64(p.Op)<<32 ^ uint64(len(p.Rows))<<16 ^ uint64(len(p.Ended)))
	if p.Op == 0 {
		w.tellEnded(p)
		return
	}
	l := &w.lanes[p.Queue]
	o := l.push()
	o.op = p.Op
	start := max(w.now, l.free)
	if p.Queue == cache.CopyQueue {
		o.finish = start + Time(w.engine[traces.Copy])
		w.work.Copies++
		w.strikeCopy(o, p.Copies[0].Req)
	} else {
		o.finish = start + w.passCost(p)
		w.work.Passes++
		w.strikePass(o, p)
	}
	l.free = o.finish
	if len(refused) > 0 {
		w.refusals = append(w.refusals, refusals{op: p.Op, list: append([]protocol.Refusal(nil), refused...)})
	}
	w.tellPlan(p, o, refused)
}

func (w *world) passCost(p *protocol.Plan) Time {
	tokens, reads := int32(0), int32(0)
	for i := range p.Rows {
		tokens += p.Rows[i].N
		reads += p.Rows[i].Start + p.Rows[i].N
	}
	return passTime(tokens, reads)
}

// finish lets the worker touch memory for the first operation of a queue that it has not finished.
func (w *world) finish(q cache.Queue) {
	w.begin(stepFinish)
	o := w.unfinished(q)
	o.finished = true
	if q == cache.PassQueue {
		w.faults.lostPass = w.faults.lostPass || o.fails
		o.lost = w.faults.lostPass
	} else {
		o.lost = o.fails
	}
	if o.lost {
		w.runner.Drop(o.op)
	} else {
		w.runner.Finish(o.op, &o.result)
	}
	for i := range o.result.Rows {
		r := &o.result.Rows[i]
		w.addResult(r)
		w.work.Tokens += int64(len(r.Tokens))
		if c := w.life(r.Req); c != nil {
			c.done++
		}
	}
	w.tellFinish(o, q)
}

// addResult takes a row's result into the digest.
func (w *world) addResult(r *protocol.RowResult) {
	slot := uint64(r.Req.Slot) << 32
	if len(r.Tokens) == 0 {
		w.digest.Add(slot)
	}
	for _, t := range r.Tokens {
		w.digest.Add(slot ^ uint64(t))
	}
}

func (w *world) unfinished(q cache.Queue) *operation {
	l := &w.lanes[q]
	for i := range l.ops {
		if !l.ops[i].finished {
			return &l.ops[i]
		}
	}
	panic("sim: no operation to finish")
}

// settle brings the first operation's result, or the news of its loss, to the scheduler.
func (w *world) settle(q cache.Queue) {
	l := &w.lanes[q]
	o := &l.ops[0]
	if o.lost {
		w.begin(stepLost)
		w.lose(q, o)
		w.stir(w.now)
		return
	}
	w.begin(stepSettle)
	for i := range o.result.Rows {
		if c := w.life(o.result.Rows[i].Req); c != nil {
			c.settled++
		} else {
			w.ledger.Hit(invariants.LateResult)
		}
	}
	w.tellSettle(o)
	w.sched.Settle(&o.result)
	l.pop()
	if w.engine[traces.Loop] == 1 {
		w.replan()
	} else {
		w.stir(w.now)
	}
}

// lose tells the scheduler of a failed operation. A failed pass takes all later passes with it.
func (w *world) lose(q cache.Queue, o *operation) {
	w.tellSettle(o)
	w.sched.Lost(o.op, q)
	if q == cache.CopyQueue {
		w.lanes[q].pop()
		return
	}
	if len(w.lanes[q].ops) > 1 {
		w.ledger.Hit(invariants.LostWithLaterPass)
	}
	for i := range w.lanes[q].ops {
		w.runner.Drop(w.lanes[q].ops[i].op)
	}
	w.faults.lostPass = false
	w.lanes[q].ops, w.lanes[q].free = w.lanes[q].ops[:0], w.now
}

// takeRefusals brings a worker's refusals to the scheduler.
func (w *world) takeRefusals() {
	w.begin(stepRefuse)
	r := w.refusals[0]
	w.tellRefusals(&r)
	for _, x := range r.list {
		w.coverage.Refusals[x.Why]++
	}
	w.sched.Refused(r.op, r.list)
	w.refusals = append(w.refusals[:0], w.refusals[1:]...)
	w.stir(w.now)
}

// send puts the scheduler's outputs on their way; over a link of no ticks they arrive within the step.
func (w *world) send() {
	for _, out := range w.sched.Outputs() {
		i := w.bySlot[out.Req.Slot]
		c := &w.clients[i]
		if out.Why == protocol.NoReason {
			c.tokens++
			if w.receipts != nil {
				w.receipts.sent(c)
			}
		} else {
			c.ended = true
			w.coverage.Ends[out.Why]++
			w.markEnded(c, &out)
		}
		m := message{due: w.now + Time(w.engine[traces.Link]), client: i, token: out.Token, why: out.Why}
		if w.engine[traces.Link] == 0 {
			w.receive(m)
		} else {
			w.markSent(m)
			w.messages = append(w.messages, m)
		}
	}
	if w.sent == len(w.messages) {
		w.messages, w.sent = w.messages[:0], 0
	}
}

// receive is a message's arrival at its client.
func (w *world) receive(m message) {
	w.tellDelivery(m)
	if w.hear != nil {
		w.hear(w.clients[m.client].event, m)
	}
	if m.why == protocol.NoReason {
		w.digest.Add(uint64(m.client)<<32 ^ uint64(m.token))
		w.ledger.Delivered(m.client, m.token)
		return
	}
	w.digest.Add(uint64(m.client)<<32 ^ uint64(m.why)<<16)
	w.ledger.Told(m.client, endOf(m.why))
	w.clients[m.client].live = false
}

// life returns the client of a request if the life is its present one, with the counts of that life.
func (w *world) life(r cache.Req) *client {
	c := &w.clients[w.bySlot[r.Slot]]
	if c.req.Slot != r.Slot || w.sched.Current(r.Slot) != r {
		return nil
	}
	if c.gen != r.Gen {
		c.gen, c.issued, c.done, c.settled = r.Gen, 0, 0, 0
	}
	return c
}
