package scheduler

import (
	"custody/cache"
	"custody/scheduler/protocol"
)

// Settle takes in a result. Results of one queue come in the order of issue.
func (s *Scheduler) Settle(res *protocol.Result) {
	f := s.flights.take(res.Op)
	s.report(cache.Settled, &f)
	s.pool.Done(f.op, f.queue)
	if f.queue == cache.CopyQueue {
		s.settleCopy(&f.rows[0])
	}
	next := 0
	for i := range f.rows {
		row := &f.rows[i]
		if f.queue == cache.PassQueue && !row.refused {
			s.settleRow(row, &res.Rows[next])
			next++
		}
		s.unname(row)
	}
}

func (s *Scheduler) report(k cache.OpKind, f *flight) {
	if s.obs != nil {
		s.obs.Op(k, f.op, f.queue)
	}
}

// unname ends an outstanding operation's hold on a slot.
func (s *Scheduler) unname(row *flightRow) {
	if !row.refused {
		s.reqs.at(row.req.Slot).outstanding--
	}
	s.reqs.vacate(row.req.Slot)
}

// settleRow takes in one row: its positions are valid, and perhaps there is a token. A life that has ended since gets
// nothing; one that was preempted since keeps the token while it waits (vLLM), because its client would get the same
// token again.
func (s *Scheduler) settleRow(row *flightRow, res *protocol.RowResult) {
	slot := row.req.Slot
	x := s.reqs.at(slot)
	switch {
	case x.gen == row.req.Gen:
		x.settled = row.end
		if s.obs != nil {
			s.obs.Count(row.req, x.settled)
		}
		s.progress(slot, res)
	case x.gen == row.req.Gen+1 && again[x.state] && row.sample && row.end == x.known:
		s.token(slot, res.Tokens[0])
	}
}

func (s *Scheduler) progress(slot int32, res *protocol.RowResult) {
	x := s.reqs.at(slot)
	if len(res.Tokens) == 0 {
		s.publish(slot)
		if x.state == Prefill {
			s.move(slot, OnChunk)
		}
		return
	}
	x.unsettled--
	r := s.Current(slot)
	s.token(slot, res.Tokens[0])
	if s.Current(slot) == r {
		s.publish(slot)
	}
}

// publish makes the settled full blocks findable. Under PublishSchedule most of them are already.
func (s *Scheduler) publish(slot int32) {
	x := s.reqs.at(slot)
	s.pool.Publish(s.Current(slot), x.id, s.reqs.text(slot), x.settled, 0)
}

// token appends an output token, sends it to the client, and ends the request if it was the last.
func (s *Scheduler) token(slot int32, t cache.Token) {
	x := s.reqs.at(slot)
	s.reqs.learn(slot, t)
	s.out = append(s.out, protocol.Output{Req: s.Current(slot), Token: t})
	switch {
	case t == x.eos:
		s.finish(slot, OnStop, protocol.Stopped)
	case x.known >= x.limit:
		s.finish(slot, OnLength, protocol.LengthEnd)
	default:
		s.move(slot, OnToken)
	}
}

// finish publishes what has settled, then ends the request.
func (s *Scheduler) finish(slot int32, on On, why protocol.Reason) {
	if !again[s.reqs.at(slot).state] {
		s.publish(slot)
	}
	s.end(slot, on, why)
}

// Refused takes in which rows of an outstanding pass the worker will not run. Those that may try again go to the front of
// the queue, the first of the plan foremost.
func (s *Scheduler) Refused(op cache.OpID, list []protocol.Refusal) {
	for i := len(list) - 1; i >= 0; i-- {
		r := &list[i]
		s.pool.Void(op, r.Req)
		if s.flights.refuse(op, r.Req) {
			s.reqs.at(r.Req.Slot).outstanding--
		}
		if _, ok := s.Live(r.Req); ok {
			s.refuse(r)
		}
		s.reqs.vacate(r.Req.Slot)
	}
}

// refuse ends a refused request, or lets it wait again.
func (s *Scheduler) refuse(r *protocol.Refusal) {
	x := s.reqs.at(r.Req.Slot)
	if r.Final || (r.Why != protocol.Dependency && x.requeues >= s.cfg.Requeues) {
		s.end(r.Req.Slot, OnRefuse, r.Why)
		return
	}
	if r.Why != protocol.Dependency {
		x.requeues++
	}
	s.move(r.Req.Slot, OnRequeue)
}

// Lost takes in that an operation failed. A failed pass takes all passes issued after it with it: their inputs were to
// come from it. Every running request that one of them carried computes everything again.
func (s *Scheduler) Lost(op cache.OpID, q cache.Queue) {
	if q == cache.CopyQueue {
		row := s.lose(op).rows[0]
		if s.Current(row.req.Slot) == row.req {
			s.move(row.req.Slot, OnLost)
		}
		return
	}
	for i := 0; i < len(s.flights.list); {
		if f := &s.flights.list[i]; f.queue == cache.PassQueue && f.op >= op {
			s.lose(f.op)
		} else {
			i++
		}
	}
	for i := len(s.queues.running) - 1; i >= 0; i-- { // from the back: each goes to the front of the queue
		if slot := s.queues.running[i]; s.reqs.at(slot).last.op >= op {
			s.move(slot, OnLost)
		}
	}
}

// lose ends an outstanding operation that failed.
func (s *Scheduler) lose(op cache.OpID) flight {
	f := s.flights.take(op)
	s.report(cache.Lost, &f)
	s.pool.Lost(f.op, f.queue)
	for i := range f.rows {
		s.unname(&f.rows[i])
	}
	return f
}
