package scheduler

import (
	"errors"
	"slices"

	"custody/cache"
	"custody/scheduler/protocol"
)

// Planning, after vLLM V1's schedule(): running requests first, in order of admission, then waiting ones while there is
// budget and a row. Planned counts move here, before anything is computed.

// planning is one call of Plan.
type planning struct {
	*Scheduler
	dst       *protocol.Plan
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
	p := &planning{Scheduler: s, dst: dst, budget: s.cfg.Budget}
	if s.shortOfBlocks || !p.copyTail() {
		p.next()
	}
	if len(s.ended) > 0 {
		dst.Ended = append(dst.Ended, s.ended...)
		s.ended = s.ended[:0]
	}
	return dst.Op != 0 || len(dst.Ended) > 0
}

// next plans a pass below the configured depth, and a copy if only the want of blocks had forbidden it before.
func (p *planning) next() {
	if p.flights.count(cache.PassQueue) >= p.cfg.Depth {
		return
	}
	waited := p.shortOfBlocks
	p.pass()
	if p.dst.Op == 0 && waited && !p.shortOfBlocks {
		p.copyTail()
	}
}

func (p *planning) pass() {
	p.planRunning()
	p.shortOfBlocks = p.preempted || p.short
	if !p.preempted && !p.short && !p.resetting {
		p.planWaiting()
	}
	if len(p.dst.Rows) == 0 {
		return
	}
	f := p.issue(cache.PassQueue)
	for i := range p.dst.Rows {
		row := &p.dst.Rows[i]
		p.carry(f, flightRow{req: row.Req, end: row.Start + row.N, sample: row.Sample})
	}
}

// issue makes the plan an outstanding operation.
func (p *planning) issue(q cache.Queue) *flight {
	f := p.flights.issue(q)
	p.dst.Op, p.dst.Queue = f.op, q
	return f
}

// carry adds a request's row to an operation.
func (p *planning) carry(f *flight, row flightRow) {
	x := p.reqs.at(row.req.Slot)
	x.last = place{op: f.op, row: int32(len(f.rows))}
	x.outstanding++
	f.rows = append(f.rows, row)
}

// planRunning lets every running request catch up with its known tokens.
func (p *planning) planRunning() {
	for i := 0; i < len(p.queues.running) && p.budget > 0; {
		slot := p.queues.running[i]
		n := p.want(slot)
		if n == 0 {
			i++
			continue
		}
		switch p.makeRoom(slot, p.reqs.at(slot).planned+n) {
		case given:
			p.addRow(slot, n, false)
			i = slices.Index(p.queues.running, slot) + 1
		case later:
			i = slices.Index(p.queues.running, slot) + 1
		case gone:
			return
		}
	}
}

// want is the number of positions of a running request to compute now.
func (p *planning) want(slot int32) int32 {
	x := p.reqs.at(slot)
	total := x.known
	if p.cfg.Overlap && x.known+x.unsettled < x.limit { // else the outstanding passes already reach its end
		total += x.unsettled
	}
	return p.part(total - x.planned)
}

// part bounds a number of tokens by the chunk size and the budget.
func (p *planning) part(n int32) int32 {
	if p.cfg.Chunk > 0 {
		n = min(n, p.cfg.Chunk)
	}
	return max(0, min(n, p.budget))
}

// grant is the answer to a request for blocks.
type grant uint8

const (
	given grant = iota
	later       // they are on their way back: try again in the next plan
	gone        // the request itself was preempted
)

// makeRoom gives a running request blocks for its first `tokens` positions, preempting others until they are there.
// Nobody is preempted for blocks that outstanding operations are about to return (vLLM has no such case: there, a
// preempted request's blocks are back at once).
func (p *planning) makeRoom(slot, tokens int32) grant {
	for {
		more := p.pool.BlocksFor(tokens) - int32(len(p.pool.Table(p.Current(slot))))
		if more <= 0 {
			return given
		}
		if p.short {
			return later
		}
		err := p.pool.Grow(p.Current(slot), tokens)
		if err == nil {
			return given
		}
		if errors.Is(err, cache.ErrNoBlocks) && more <= p.pool.Free()+p.pool.Deferred() {
			p.short = true
			return later
		}
		victim := p.victim()
		p.withdraw(victim)
		p.move(victim, OnPreempt)
		p.preempted = true
		if victim == slot {
			return gone
		}
	}
}

// withdraw takes a request's row out of the plan that is being made, and gives its tokens back to the budget.
func (p *planning) withdraw(slot int32) {
	for i := range p.dst.Rows {
		if row := &p.dst.Rows[i]; row.Req.Slot == slot {
			p.budget += row.N
			p.pool.Void(p.flights.next, row.Req)
			p.dst.Rows = append(p.dst.Rows[:i], p.dst.Rows[i+1:]...)
			return
		}
	}
}

// planWaiting admits requests while there is budget and a row: first those that hold blocks already, then the head of
// the queue. A head that does not fit stops admission (no overtaking).
func (p *planning) planWaiting() {
	for p.budget > 0 && int32(len(p.queues.running)) < p.cfg.MaxRows {
		switch {
		case len(p.queues.loaded) > 0:
			slot := p.queues.loaded[0]
			p.move(slot, OnAdmit)
			p.addRow(slot, p.want(slot), true)
		case len(p.queues.waiting) == 0 || !p.admit(p.queues.waiting[0]):
			return
		}
	}
}

// admit gives a waiting request blocks and puts its first part into the plan.
func (p *planning) admit(slot int32) bool {
	x := p.reqs.at(slot)
	p.pool.Lookup(x.id, p.reqs.text(slot), &p.hit)
	if p.canCopy(slot) {
		return false // the next plan is its copy
	}
	from := max(x.planned, p.hit.Tokens) // nothing is planned of a request that holds nothing
	n := p.part(x.known - from)
	if err := p.pool.Admit(p.Current(slot), &p.hit, from+n, p.reserve(slot)); err != nil {
		p.retry = errors.Is(err, cache.ErrAllocFailed)
		return false
	}
	if !x.again {
		p.stats.Requests++
		p.stats.Queried += int64(x.known)
		p.stats.Hit += int64(p.hit.Tokens)
	}
	x.planned, x.settled = from, from
	p.move(slot, OnAdmit)
	p.addRow(slot, n, true)
	return true
}

func (p *planning) reserve(slot int32) int32 {
	if p.cfg.Reserve {
		return p.reqs.at(slot).known
	}
	return 0
}

// addRow puts n positions of a request into the plan and moves its planned count.
func (p *planning) addRow(slot, n int32, fresh bool) {
	x := p.reqs.at(slot)
	if fresh {
		x.sent, x.again = sent{}, true
	}
	row := p.dst.Add()
	row.Req, row.New, row.ID, row.Start, row.N, row.Sampling = p.Current(slot), fresh, x.id, x.planned, n, x.sampling
	row.Tokens = p.unsent(slot)
	table := p.pool.Table(row.Req)
	row.Blocks, x.sent.blocks = table[x.sent.blocks:], int32(len(table))
	x.planned += n
	row.Sample = x.planned == x.known+x.unsettled
	if row.Sample {
		x.unsettled++
	}
	p.budget -= n
	if p.cfg.Publish == PublishSchedule {
		p.pool.Publish(row.Req, x.id, p.reqs.text(slot), min(x.planned, x.known), p.flights.next)
	}
}

// unsent lists the tokens that the worker's row lacks: those known, and by reference the one that the request's last
// pass has yet to sample.
func (p *planning) unsent(slot int32) []protocol.TokenRef {
	x, refs := p.reqs.at(slot), p.dst.Refs
	from := len(refs)
	text, n := p.reqs.text(slot), x.sent.tokens
	for ; n < x.known; n++ {
		refs = append(refs, protocol.TokenRef{Token: text[n]})
	}
	for ; n < x.known+x.unsettled; n++ {
		refs = append(refs, protocol.TokenRef{Op: x.last.op, Row: x.last.row})
	}
	p.dst.Refs, x.sent.tokens = refs, n
	return refs[from:len(refs):len(refs)]
}
