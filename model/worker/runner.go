// Package worker is the side of an engine that carries plans out: the runner with its persistent rows (vLLM's model
// runner and its input batch).
//
//	plan ──Issue──▶ rows (bound, extended, cleared) ──snapshot──▶ batch ──Finish──▶ Forward ──▶ result
//
// The runner is fed by plan differences, like the workers of real engines: what a plan does not mention stays as it was.
// It has its own limits and may refuse rows; the scheduler learns of that by a message and undoes its half separately.
package worker

import (
	"custody/cache"
	"custody/model"
	"custody/scheduler/protocol"
)

// Limits are what a worker has been configured with. They may differ from the scheduler's; the difference surfaces as
// refusals.
type Limits struct {
	Rows   int32
	Budget int32 // tokens a pass
	MaxLen int32 // tokens a row
}

// Config fixes a runner.
type Config struct {
	Limits
	Layout   cache.Layout
	LayoutID uint32        // digest of the worker's own layout fields: what it computes is computed under it
	Live     protocol.Live // what a pass finds in its rows when it is finished, instead of a copy made at its issue

	// Veto is asked for each row of a plan that the worker has a place for, and may refuse it. Nil refuses none.
	Veto func(p *protocol.Row) (protocol.Refusal, bool)
}

// row is the worker's persistent state of one request: what a plan does not mention stays as it was.
type row struct {
	req      cache.Req
	bound    bool
	id       cache.Identity
	sampling cache.Sampling
	tokens   []cache.Token // with room for MaxLen; a token still to be sampled is a hole
	table    []cache.BlockID
	computed int32 // positions that issued passes compute
	last     samples
}

// samples is what a finished pass has sampled for a row: the row's plan may be made before its scheduler knows.
type samples struct {
	op     cache.OpID
	row    int32 // of the pass's plan
	tokens []cache.Token
}

// pass is an issued operation: a batch, or copies.
type pass struct {
	batch  model.Batch
	places []int32 // by batch row: its row in the plan
	holes  []hole
	copies []protocol.Copy
	queue  cache.Queue
}

// hole is an input token that an earlier pass will have sampled.
type hole struct {
	token   protocol.TokenRef
	row, at int32 // batch row, and index into its input
}

// Runner owns the rows and the issued passes of one worker.
type Runner struct {
	cfg     Config
	model   model.Model
	mem     *cache.Memory
	obs     cache.Observer
	rows    []row
	passes  []pass // issued and not finished, in the order of issue
	refused []protocol.Refusal
	void    []cache.BlockID // blocks that refused rows of the plan were to write
}

// New returns a worker without rows.
func New(cfg Config, m model.Model, mem *cache.Memory) *Runner {
	r := &Runner{cfg: cfg, model: m, mem: mem, rows: make([]row, cfg.Rows)}
	blocks := cfg.MaxLen/cfg.Layout.BlockTokens + 2
	for i := range r.rows {
		r.rows[i].tokens = make([]cache.Token, 0, cfg.MaxLen)
		r.rows[i].table = make([]cache.BlockID, 0, blocks)
	}
	return r
}

// Reset returns the runner to its first state.
func (r *Runner) Reset() {
	for i := range r.rows {
		x := &r.rows[i]
		*x = row{tokens: x.tokens[:0], table: x.table[:0], last: samples{tokens: x.last.tokens[:0]}}
	}
	r.passes = r.passes[:0]
}

// Attach sets the observer; nil detaches it.
func (r *Runner) Attach(o cache.Observer) { r.obs = o }

// Issue takes a plan in: it clears ended rows, binds new ones, extends the others, and fixes the inputs of the pass.
// It returns the rows that it will not run; the slice is valid until the next call.
func (r *Runner) Issue(p *protocol.Plan) []protocol.Refusal {
	r.refused, r.void = r.refused[:0], r.void[:0]
	for _, req := range p.Ended {
		r.end(req)
	}
	if p.Op == 0 {
		return nil
	}
	ps := r.newPass(p)
	if r.obs != nil {
		r.obs.Op(cache.Issued, p.Op, p.Queue)
	}
	if len(p.Copies) > 0 {
		ps.copies = append(ps.copies, p.Copies...)
		r.reportCopies(ps)
	}
	total := int32(0)
	for i := range p.Rows {
		r.issueRow(ps, &p.Rows[i], int32(i), &total)
	}
	return r.refused
}

func (r *Runner) reportCopies(ps *pass) {
	if r.obs == nil {
		return
	}
	for i := range ps.copies {
		r.obs.PlannedCopy(ps.batch.Op, ps.copies[i].Req, ps.copies[i].Copy)
	}
}

// newPass appends an empty pass, reusing the buffers of an earlier one.
func (r *Runner) newPass(p *protocol.Plan) *pass {
	if n := len(r.passes); n < cap(r.passes) {
		r.passes = r.passes[:n+1]
	} else {
		r.passes = append(r.passes, pass{})
	}
	ps := &r.passes[len(r.passes)-1]
	ps.batch.Op, ps.queue = p.Op, p.Queue
	ps.batch.Rows, ps.places = ps.batch.Rows[:0], ps.places[:0]
	ps.holes, ps.copies = ps.holes[:0], ps.copies[:0]
	return ps
}

// issueRow binds or extends the row of one request and puts its snapshot into the pass, or refuses it.
func (r *Runner) issueRow(ps *pass, p *protocol.Row, place int32, total *int32) {
	at := r.rowFor(p)
	if at < 0 {
		r.refuse(p, at, protocol.Refusal{Req: p.Req, Why: missing(p)})
		return
	}
	x := &r.rows[at]
	if p.New || p.Resumed {
		r.bind(at, p)
	}
	if p.Whole {
		x.table = x.table[:0]
	}
	if len(p.Blocks) > 0 {
		x.table = append(x.table, p.Blocks...)
	}
	if p.New || p.Resumed {
		x.computed += p.Start
	}
	if no, ok := r.deny(x, p, *total); ok {
		r.refuse(p, at, no)
		return
	}
	r.appendTokens(ps, x, p)
	r.snapshot(ps, at, p)
	ps.places = append(ps.places, place)
	x.computed = max(x.computed, p.Start+p.N)
	*total += p.N
}

// from is the first position that a plan's row leaves to compute. The worker's row knows how far it is, the plan says how
// far to go; the last position is computed in any case.
func (x *row) from(p *protocol.Row) int32 { return min(x.computed, p.Start+p.N-1) }

// rowFor is the row in which a plan's row is to be computed: the request's own, or a free one; -1 if there is none.
// What an earlier life of a resumed request has left in a row is forgotten, except what was sampled for it last: the new
// life's tokens may still refer to that.
func (r *Runner) rowFor(p *protocol.Row) int32 {
	switch {
	case p.New:
		return r.vacant()
	case p.Resumed:
		at := r.findSlot(p.Req.Slot)
		if at < 0 {
			return r.vacant()
		}
		last := r.rows[at].last
		r.free(at)
		r.rows[at].last = last
		return at
	}
	return r.find(p.Req)
}

// bind gives a free row to a request. A free row is empty: see clear.
func (r *Runner) bind(at int32, p *protocol.Row) {
	x := &r.rows[at]
	x.req, x.bound, x.id, x.sampling = p.Req, true, p.ID, p.Sampling
	x.id.Layout = r.cfg.LayoutID
	x.tokens = x.tokens[:0]
	r.report(cache.Bound, at)
}

func (r *Runner) report(k cache.RowKind, at int32) {
	if r.obs != nil {
		r.obs.Row(k, at, r.rows[at].req)
	}
}

// clear empties a row.
func (x *row) clear() {
	x.tokens, x.table, x.computed, x.last.op = x.tokens[:0], x.table[:0], 0, 0
}

// end clears the row of an ended request, if it has one.
func (r *Runner) end(req cache.Req) {
	if at := r.find(req); at >= 0 {
		r.free(at)
	}
}

// free empties a row and makes it available.
func (r *Runner) free(at int32) {
	r.report(cache.Cleared, at)
	r.rows[at].clear()
	r.rows[at].bound = false
}

func (r *Runner) find(req cache.Req) int32 {
	for i := range r.rows {
		if r.rows[i].bound && r.rows[i].req == req {
			return int32(i)
		}
	}
	return -1
}

// findSlot is the row that is bound to any life of the slot's request.
func (r *Runner) findSlot(slot int32) int32 {
	for i := range r.rows {
		if r.rows[i].bound && r.rows[i].req.Slot == slot {
			return int32(i)
		}
	}
	return -1
}

func (r *Runner) vacant() int32 {
	for i := range r.rows {
		if !r.rows[i].bound {
			return int32(i)
		}
	}
	return -1
}

// appendTokens extends a row's tokens; those that an outstanding pass has yet to sample become holes.
func (r *Runner) appendTokens(ps *pass, x *row, p *protocol.Row) {
	tokens, lo, hi := x.tokens, x.from(p), p.Start+p.N
	for _, t := range p.Tokens {
		if t.Op != 0 {
			t = r.resolve(t)
		}
		if at := int32(len(tokens)); t.Op != 0 && at >= lo && at < hi {
			ps.holes = append(ps.holes, hole{token: t, row: int32(len(ps.batch.Rows)), at: at - lo})
		}
		tokens = append(tokens, t.Token)
	}
	x.tokens = tokens
}

// resolve puts the token in the place of a reference if it has been sampled by now.
func (r *Runner) resolve(t protocol.TokenRef) protocol.TokenRef {
	for i := range r.rows {
		if token, ok := r.rows[i].last.token(t); ok {
			return protocol.TokenRef{Token: token}
		}
	}
	return t
}

// token is what a reference stands for, if this is where it was sampled.
func (s *samples) token(t protocol.TokenRef) (cache.Token, bool) {
	if t.Op != s.op || t.Row != s.row || int(t.At) >= len(s.tokens) {
		return 0, false
	}
	return s.tokens[t.At], true
}

// addRow extends the batch by a row that holds what an earlier one did: its buffers are to be used again.
func (ps *pass) addRow() *model.Row {
	b := &ps.batch
	if n := len(b.Rows); n < cap(b.Rows) {
		b.Rows = b.Rows[:n+1]
	} else {
		b.Rows = append(b.Rows, model.Row{})
	}
	return &b.Rows[len(b.Rows)-1]
}

// snapshot copies what the pass needs of a row, so that later plans may change the row.
func (r *Runner) snapshot(ps *pass, at int32, p *protocol.Row) {
	x, s := &r.rows[at], ps.addRow()
	lo, hi := x.from(p), p.Start+p.N
	s.Op, s.Row, s.Req, s.ID = ps.batch.Op, at, x.req, x.id
	s.Start, s.N, s.Sampling = lo, hi-lo, x.sampling
	s.Input = append(s.Input[:0], x.tokens[lo:hi]...)
	s.Table = append(s.Table[:0], x.table...)
	s.Sample, s.Next = p.Sample, s.Next[:0]
	if r.obs != nil {
		r.obs.Planned(ps.batch.Op, s.Req, cache.Run{Table: s.Table, Lo: s.Start, Hi: s.Start + s.N})
	}
}
