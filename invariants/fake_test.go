package invariants

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"custody/cache"
)

// A fake engine is one written out by hand: it makes an engine's reports, move by move, and computes nothing. Its moves
// are legal; a test breaks a promise by a report of its own between them, or by leaving one out.
type fakeEngine struct {
	*Ledger
	op    cache.OpID
	gens  [fakeSlots]uint32
	refs  [fakeBlocks]int32
	entry [fakeBlocks]bool
	rows  [fakeRows]bool
}

const (
	fakeBlocks = 6
	fakeSlots  = 5
	fakeRows   = 3
	lastLayer  = 1
	noEOS      = cache.Token(-1)
)

// The tenants.
const (
	amber int32 = iota
	teal
)

func fakeConfig() Config {
	return Config{
		Shape:   Shape{Blocks: fakeBlocks, BlockTokens: 2, Layers: lastLayer + 1, Slots: fakeSlots, Rows: fakeRows},
		Bounds:  Bounds{MaxLen: 10, MaxQueue: 2, Budget: 64, MaxRows: fakeRows, Vocab: 50, Quotas: []int32{0, 2}},
		Claims:  Claims{TwoQueues: true},
		Parties: Parties{Stricter: true, Markers: [][]cache.Token{{46, 47, 48, 49}, {45, 46, 47, 48}}},
	}
}

func newFakeEngine(extra ...Promise) *fakeEngine {
	return &fakeEngine{Ledger: NewLedger(fakeConfig(), extra)}
}

// party is a request, as an engine knows it.
type party struct {
	client int32
	ask    Submission
	req    cache.Req
	phase  phase
	tokens []cache.Token // prompt and settled outputs
	table  []cache.BlockID
	row    int32
}

func identity(tenant int32) cache.Identity {
	return cache.Identity{Domain: uint32(tenant) + 1, Layout: 7}
}

// ask is a submission of at most four output tokens.
func ask(tenant int32, prompt ...cache.Token) *Submission {
	return &Submission{Tenant: tenant, ID: identity(tenant), Prompt: prompt, Max: 4, EOS: noEOS, Sampling: cache.Sampling{Seed: 9}}
}

// submit lets a client's request be accepted into the slot of its number.
func (d *fakeEngine) submit(client, tenant int32, prompt ...cache.Token) *party {
	return d.accept(client, client, ask(tenant, prompt...))
}

func (d *fakeEngine) accept(client, slot int32, a *Submission) *party {
	p := &party{client: client, ask: *a, req: cache.Req{Slot: slot, Gen: d.gens[slot]}, row: -1}
	p.tokens = slices.Clone(a.Prompt)
	d.Submitted(client, a)
	d.move(p, cache.Accepted, cache.NoCause)
	return p
}

// move lets something happen to a request. A life ends with its end or the loss of its blocks.
func (d *fakeEngine) move(p *party, k cache.LifeKind, why cache.Cause) {
	d.Life(p.req, k, why)
	p.phase = p.phase.after(k)
	if k == cache.Ended || k == cache.LostBlocks {
		p.req.Gen++
		d.gens[p.req.Slot] = p.req.Gen
	}
}

// take gives a request fresh blocks.
func (d *fakeEngine) take(p *party, blocks ...cache.BlockID) {
	for _, b := range blocks {
		d.Block(cache.Alloc, p.req, b, 0)
		d.refs[b] = 1
		p.table = append(p.table, b)
	}
}

// adopt gives a request blocks that were found by content.
func (d *fakeEngine) adopt(p *party, blocks ...cache.BlockID) {
	for _, b := range blocks {
		d.Block(cache.Adopt, p.req, b, 0)
		d.refs[b]++
		p.table = append(p.table, b)
	}
}

// admit gives a request fresh blocks behind those that it holds, and a row.
func (d *fakeEngine) admit(p *party, blocks ...cache.BlockID) {
	d.take(p, blocks...)
	d.move(p, cache.Running, cache.NoCause)
	p.row = int32(slices.Index(d.rows[:], false))
	d.rows[p.row] = true
	d.Row(cache.Bound, p.row, p.req)
}

// publish makes a block findable; op is the pass that is still to write it, or 0.
func (d *fakeEngine) publish(p *party, b cache.BlockID, op cache.OpID) {
	d.Block(cache.Publish, p.req, b, op)
	d.entry[b] = true
}

func (d *fakeEngine) unpublish(b cache.BlockID) {
	d.Block(cache.Unpublish, cache.Req{}, b, 0)
	d.entry[b] = false
}

// span is a part of a pass: positions [lo,hi) of a request.
type span struct {
	*party
	lo, hi int32
}

// flight is an operation that has been issued.
type flight struct {
	op   cache.OpID
	rows []flightRow
}

type flightRow struct {
	*party
	req    cache.Req
	row    int32
	run    cache.Run
	sample bool
}

func (d *fakeEngine) issue(spans ...span) *flight {
	d.op++
	f := &flight{op: d.op}
	d.Op(cache.Issued, f.op, cache.PassQueue)
	for _, s := range spans {
		run := cache.Run{Table: slices.Clone(s.table), Lo: s.lo, Hi: s.hi}
		f.rows = append(f.rows, flightRow{s.party, s.req, s.row, run, s.hi >= int32(len(s.tokens))})
		d.Planned(f.op, s.req, run)
	}
	return f
}

// finish computes a pass: layer by layer, all rows' writes, then all rows' reads.
func (d *fakeEngine) finish(f *flight) {
	for i := range f.rows {
		d.Use(d.used(f, i))
	}
	for layer := range lastLayer + 1 {
		for _, r := range f.rows {
			d.Touch(cache.Write, f.op, r.req, layer, r.run)
		}
		for _, r := range f.rows {
			d.Touch(cache.Read, f.op, r.req, layer, cache.Run{Table: r.run.Table, Hi: r.run.Hi})
		}
	}
	for _, r := range f.rows {
		if r.sample {
			d.Sampled(f.op, r.req, r.run.Hi, d.answer(r.party, r.run.Hi))
		}
	}
	d.Op(cache.Finished, f.op, cache.PassQueue)
}

// used is a row as the pass should use it.
func (d *fakeEngine) used(f *flight, i int) *cache.Used {
	r := &f.rows[i]
	return &cache.Used{
		Op: f.op, Row: r.row, Req: r.req, ID: r.ask.ID, Start: r.run.Lo, N: r.run.Hi - r.run.Lo,
		Input: d.text(r.party)[r.run.Lo:r.run.Hi], Table: r.run.Table, Sampling: r.ask.Sampling,
	}
}

// text is all that a request will ever say.
func (d *fakeEngine) text(p *party) []cache.Token {
	d.answer(p, d.cfg.Bounds.MaxLen-1)
	return slices.Clone(d.accounts.tokensOf(&d.accounts.list[p.client]))
}

// answer is the right token for a position.
func (d *fakeEngine) answer(p *party, pos int32) cache.Token {
	return d.accounts.expected(&d.accounts.list[p.client], pos)
}

// settle takes a pass in: lives that have ended since get nothing.
func (d *fakeEngine) settle(f *flight) {
	d.Op(cache.Settled, f.op, cache.PassQueue)
	for _, r := range f.rows {
		if r.req != r.party.req {
			continue
		}
		d.Count(r.req, r.run.Hi)
		if r.sample {
			d.token(r.party)
		} else {
			d.move(r.party, cache.Advanced, cache.ByChunk)
		}
	}
}

// token takes a request's next token in, and delivers it.
func (d *fakeEngine) token(p *party) {
	t := d.answer(p, int32(len(p.tokens)))
	p.tokens = append(p.tokens, t)
	switch {
	case t == p.ask.EOS:
		d.finishWith(p, t, cache.ByStop, EndStop)
	case int32(len(p.tokens)) == min(int32(len(p.ask.Prompt))+p.ask.Max, d.cfg.Bounds.MaxLen):
		d.finishWith(p, t, cache.ByLength, EndLength)
	default:
		d.move(p, cache.Advanced, cache.ByToken)
		d.Delivered(p.client, t)
	}
}

func (d *fakeEngine) finishWith(p *party, t cache.Token, why cache.Cause, how End) {
	d.Delivered(p.client, t)
	d.end(p, why, how)
}

// pass computes positions [lo,hi) of a request, from issue to settlement.
func (d *fakeEngine) pass(p *party, lo, hi int32) {
	f := d.issue(span{p, lo, hi})
	d.finish(f)
	d.settle(f)
}

// read is a pass that reports nothing but one read, through any table.
func (d *fakeEngine) read(p *party, layer int, run cache.Run) {
	d.touch(cache.Read, p, p.req, layer, run)
}

// write is a pass that reports nothing but one write, through any table and in any life.
func (d *fakeEngine) write(p *party, r cache.Req, layer int, run cache.Run) {
	d.touch(cache.Write, p, r, layer, run)
}

func (d *fakeEngine) touch(k cache.TouchKind, p *party, r cache.Req, layer int, run cache.Run) {
	f := d.issue(span{p, 0, 0})
	d.Touch(k, f.op, r, layer, run)
	d.Op(cache.Settled, f.op, cache.PassQueue)
}

// end ends a request and gives back all that it holds.
func (d *fakeEngine) end(p *party, why cache.Cause, how End) {
	d.part(p, cache.Ended, why)
	d.Ended(p.client, how)
}

func (d *fakeEngine) preempt(p *party) { d.part(p, cache.LostBlocks, cache.ByPreempt) }

func (d *fakeEngine) cancel(p *party) {
	d.Cancelled(p.client)
	d.end(p, cache.ByCancel, EndCancelled)
}

// part ends a life: its blocks go back, poisoned where nobody can find them, and its row is cleared.
func (d *fakeEngine) part(p *party, k cache.LifeKind, why cache.Cause) {
	r := d.leave(p, k, why)
	d.release(r, p.table, true)
	p.table = nil
	d.clearRow(p, r)
}

// leave ends a life and returns what it was called; its blocks and its row stay for now.
func (d *fakeEngine) leave(p *party, k cache.LifeKind, why cache.Cause) cache.Req {
	r := p.req
	d.move(p, k, why)
	return r
}

func (d *fakeEngine) clearRow(p *party, r cache.Req) {
	if p.row >= 0 {
		d.Row(cache.Cleared, p.row, r)
		d.rows[p.row], p.row = false, -1
	}
}

// release drops references; the last one of a block frees it.
func (d *fakeEngine) release(r cache.Req, table []cache.BlockID, poison bool) {
	for _, b := range table {
		d.Block(cache.Drop, r, b, 0)
		d.refs[b]--
		if d.refs[b] > 0 {
			continue
		}
		d.Block(cache.Freed, r, b, 0)
		if poison && !d.entry[b] {
			d.Block(cache.Poison, cache.Req{}, b, 0)
		}
	}
}

// copyTail issues the copy of a found last block, which stands behind the request's own.
func (d *fakeEngine) copyTail(p *party) (cache.OpID, cache.Copy) {
	d.op++
	n := len(p.table)
	c := cache.Copy{From: p.table[n-1], To: p.table[n-2]}
	d.move(p, cache.Loading, cache.NoCause)
	d.Op(cache.Issued, d.op, cache.CopyQueue)
	d.PlannedCopy(d.op, p.req, c)
	return d.op, c
}

// copied takes the copy in; its source goes back.
func (d *fakeEngine) settleCopy(p *party, op cache.OpID) {
	d.Op(cache.Settled, op, cache.CopyQueue)
	n := len(p.table) - 1
	d.release(p.req, p.table[n:], true)
	p.table = p.table[:n]
	d.move(p, cache.Loaded, cache.NoCause)
}

// plainly is a breach that is not about a slot.
func plainly(id ID, reader int32) Breach {
	return Breach{Promise: id, Slot: SlotNone, Reader: reader, Writer: -1, Block: cache.None, Pos: -1}
}

// at is the same about a position.
func (b Breach) at(pos int32) Breach {
	b.Pos = pos
	return b
}

// in is the same about a block.
func (b Breach) in(block cache.BlockID) Breach {
	b.Block = block
	return b
}

// from is the same about what another party did.
func (b Breach) from(writer int32, rel Relation) Breach {
	b.Writer, b.Relation = writer, rel
	return b
}

// expect compares breaches: everything but the time and the words.
func expect(t *testing.T, l *Ledger, want ...Breach) {
	t.Helper()
	opts := cmp.Options{cmpopts.IgnoreFields(Breach{}, "Step", "Event", "Detail", "Op"), cmpopts.EquateEmpty()}
	if diff := cmp.Diff(want, l.Breaches(), opts); diff != "" {
		t.Errorf("breaches (-want +got):\n%s", diff)
	}
}
