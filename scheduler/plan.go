package scheduler

import (
	"errors"

	"custody/cache"
	"custody/scheduler/protocol"
)

// Planning, after vLLM V1's schedule(): running requests first, in order of admission, then waiting ones while there is
// budget and a row. Planned counts move here, before anything is computed.

// planning is the working state of one call of Plan.
type planning struct {
	dst       *protocol.Plan
	op        cache.OpID
	budget    int32
	preempted bool // somebody was: nobody is admitted in this plan
	short     bool // somebody waits for blocks that are on their way back: nobody else may take a fresh one
}

// Plan writes the next operation into dst, or reports that there is none to issue now. It is legal with earlier plans
// outstanding; a pass is only planned below the configured depth. Ended rows are named in the first plan after their end.
func (s *Scheduler) Plan(dst *protocol.Plan) bool {
	dst.Reset()
	s.retry = false
	if s.resetting {
		s.resetting = s.pool.ResetPrefix() != nil
	}
	if s.pressed || !s.planCopy(dst) {
		s.planNext(dst)
	}
	s.nameEnded(dst)
	return dst.Op != 0 || len(dst.Ended) > 0
}

// planNext plans a pass below the configured depth, and a copy if only the want of blocks had forbidden it before.
func (s *Scheduler) planNext(dst *protocol.Plan) {
	if s.Outstanding(cache.PassQueue) >= s.cfg.Depth {
		return
	}
	waited := s.pressed
	s.planPass(dst)
	if dst.Op == 0 && waited && !s.pressed {
		s.planCopy(dst)
	}
}

// nameEnded moves the ended rows into the plan.
func (s *Scheduler) nameEnded(dst *protocol.Plan) {
	dst.Ended = append(dst.Ended, s.ended...)
	s.ended = s.ended[:0]
}

func (s *Scheduler) planPass(dst *protocol.Plan) {
	p := &planning{dst: dst, op: s.nextOp, budget: s.cfg.Budget}
	s.planRunning(p)
	s.pressed = p.preempted || p.short
	if !p.preempted && !p.short && !s.resetting {
		s.planWaiting(p)
	}
	if len(dst.Rows) == 0 {
		return
	}
	dst.Op, dst.Queue = s.issue(), cache.PassQueue
	f := s.newFlight(dst.Op, cache.PassQueue)
	for i := range dst.Rows {
		s.commit(f, &dst.Rows[i])
	}
}

func (s *Scheduler) issue() cache.OpID {
	op := s.nextOp
	s.nextOp++
	return op
}

// newFlight adds an empty outstanding operation, reusing the rows of an earlier one.
func (s *Scheduler) newFlight(op cache.OpID, q cache.Queue) *flight {
	if n := len(s.flights); n < cap(s.flights) {
		s.flights = s.flights[:n+1]
	} else {
		s.flights = append(s.flights, flight{})
	}
	f := &s.flights[len(s.flights)-1]
	f.op, f.queue, f.rows = op, q, f.rows[:0]
	return f
}

// commit records a planned row as outstanding.
func (s *Scheduler) commit(f *flight, row *protocol.Row) {
	x := &s.reqs[row.Req.Slot]
	x.lastOp, x.lastRow = f.op, int32(len(f.rows))
	f.rows = append(f.rows, flightRow{req: row.Req, end: row.Start + row.N, sample: row.Sample})
	x.naming++
}

// planRunning lets every running request catch up with its known tokens.
func (s *Scheduler) planRunning(p *planning) {
	for i := 0; i < len(s.running) && p.budget > 0; {
		slot := s.running[i]
		n := s.want(slot, p.budget)
		if n == 0 {
			i++
			continue
		}
		switch s.makeRoom(p, slot, s.reqs[slot].planned+n) {
		case fits:
			s.addRow(p, slot, n, false)
			i = indexOf(s.running, slot) + 1
		case later:
			i = indexOf(s.running, slot) + 1
		case gone:
			return
		}
	}
}

// want is the number of positions of a running request to compute now.
func (s *Scheduler) want(slot, budget int32) int32 {
	x := &s.reqs[slot]
	total := x.known
	if s.cfg.Overlap && x.known+x.ahead < x.limit { // else the outstanding passes already reach its end
		total += x.ahead
	}
	return s.cap(total-x.planned, budget)
}

// cap bounds a number of tokens by the chunk size and the budget.
func (s *Scheduler) cap(n, budget int32) int32 {
	if s.cfg.Chunk > 0 {
		n = min(n, s.cfg.Chunk)
	}
	return max(0, min(n, budget))
}

type room uint8

const (
	fits  room = iota // the request has the blocks
	later             // blocks are on their way back: try again in the next plan
	gone              // the request itself was preempted
)

// makeRoom gives a running request blocks for its first `tokens` positions, preempting others until they are there.
// Nobody is preempted for blocks that outstanding operations are about to return (vLLM has no such case: there, a
// preempted request's blocks are back at once).
func (s *Scheduler) makeRoom(p *planning, slot, tokens int32) room {
	for {
		more := s.pool.BlocksFor(tokens) - int32(len(s.pool.Table(s.Current(slot))))
		if more > 0 && p.short {
			return later
		}
		err := s.pool.Grow(s.Current(slot), tokens)
		if err == nil {
			return fits
		}
		if errors.Is(err, cache.ErrNoBlocks) && more <= s.pool.Free()+s.pool.Deferred() {
			p.short = true
			return later
		}
		victim := s.victim()
		s.withdraw(p, victim)
		s.move(victim, OnPreempt)
		p.preempted = true
		if victim == slot {
			return gone
		}
	}
}

// victim is the running request that gives way.
func (s *Scheduler) victim() int32 {
	v := s.running[len(s.running)-1]
	if s.cfg.Policy == FCFS {
		return v
	}
	for _, slot := range s.running {
		if s.before(v, slot) {
			v = slot
		}
	}
	return v
}

// withdraw takes a request's row out of the plan that is being made, and gives its tokens back to the budget.
func (s *Scheduler) withdraw(p *planning, slot int32) {
	for i := range p.dst.Rows {
		if row := &p.dst.Rows[i]; row.Req.Slot == slot {
			p.budget += row.N
			s.pool.Void(p.op, row.Req)
			p.dst.Rows = append(p.dst.Rows[:i], p.dst.Rows[i+1:]...)
			return
		}
	}
}

// planWaiting admits requests while there is budget and a row: first those that hold blocks already, then the head of
// the queue. A head that does not fit stops admission (no overtaking).
func (s *Scheduler) planWaiting(p *planning) {
	for p.budget > 0 && int32(len(s.running)) < s.cfg.MaxRows {
		switch {
		case len(s.loaded) > 0:
			slot := s.loaded[0]
			s.move(slot, OnAdmit)
			s.addRow(p, slot, s.want(slot, p.budget), true)
		case len(s.waiting) == 0 || !s.admit(p, s.waiting[0]):
			return
		}
	}
}

// admit gives a waiting request blocks and puts its first part into the plan.
func (s *Scheduler) admit(p *planning, slot int32) bool {
	x := &s.reqs[slot]
	s.pool.Lookup(x.id, s.text(slot), &s.hit)
	if s.canCopy(slot) {
		return false // the next plan is its copy
	}
	from := max(x.planned, s.hit.Tokens) // nothing is planned of a request that holds nothing
	n := s.cap(x.known-from, p.budget)
	if err := s.pool.Admit(s.Current(slot), &s.hit, from+n, s.reserve(slot)); err != nil {
		s.retry = errors.Is(err, cache.ErrAllocFailed)
		return false
	}
	if !x.again {
		s.stats.Requests++
		s.stats.Queried += int64(x.known)
		s.stats.Hit += int64(s.hit.Tokens)
	}
	x.planned, x.settled = from, from
	s.move(slot, OnAdmit)
	s.addRow(p, slot, n, true)
	return true
}

func (s *Scheduler) reserve(slot int32) int32 {
	if s.cfg.Reserve {
		return s.reqs[slot].known
	}
	return 0
}

// addRow puts n positions of a request into the plan and moves its planned count.
func (s *Scheduler) addRow(p *planning, slot, n int32, fresh bool) {
	x := &s.reqs[slot]
	if fresh {
		x.sent, x.blocks, x.again = 0, 0, true
	}
	row := protocol.Row{Req: s.Current(slot), New: fresh, ID: x.id, Start: x.planned, N: n, Sampling: x.sampling}
	row.Tokens = s.unsent(p.dst, slot)
	table := s.pool.Table(row.Req)
	row.Blocks, x.blocks = table[x.blocks:], int32(len(table))
	x.planned += n
	row.Sample = x.planned == x.known+x.ahead
	if row.Sample {
		x.ahead++
	}
	p.dst.Rows = append(p.dst.Rows, row)
	p.budget -= n
	if s.cfg.Publish == PublishSchedule {
		s.pool.Publish(row.Req, x.id, s.text(slot), min(x.planned, x.known), p.op)
	}
}

// unsent lists the tokens that the worker's row lacks: those known, and by reference the one that the request's last
// pass has yet to sample.
func (s *Scheduler) unsent(dst *protocol.Plan, slot int32) []protocol.TokenRef {
	x := &s.reqs[slot]
	from := len(dst.Refs)
	text := s.text(slot)
	for ; x.sent < x.known; x.sent++ {
		dst.Refs = append(dst.Refs, protocol.TokenRef{Token: text[x.sent]})
	}
	for ; x.sent < x.known+x.ahead; x.sent++ {
		dst.Refs = append(dst.Refs, protocol.TokenRef{Op: x.lastOp, Row: x.lastRow})
	}
	return dst.Refs[from:len(dst.Refs):len(dst.Refs)]
}

func indexOf(list []int32, slot int32) int {
	for i, x := range list {
		if x == slot {
			return i
		}
	}
	return -1
}
