package invariants

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"custody/cache"
)

// A random engine is a fake one that draws what to do next, and does it as an engine would that keeps every promise. Passes are
// issued, finished and settled apart from one another, two of them may be outstanding, blocks return when the last pass
// that names them has settled, and full blocks are found again by content.
type randomEngine struct {
	*fakeEngine
	luck    *rand.Rand
	jobs    []*job
	issued  []*flight // not finished
	done    []*flight // not settled
	found   map[string]cache.BlockID
	waiting []owed
}

// job is a live request with its counts.
type job struct {
	*party
	planned, settled, filed int32
	last                    cache.OpID
}

// owed is what goes back when an operation has settled.
type owed struct {
	after cache.OpID
	req   cache.Req
	table []cache.BlockID
}

// newRandomEngine draws an engine's luck, and leaves the rest to it: the draws of rapid itself favour small numbers, and
// histories of them hardly get anywhere.
func newRandomEngine(t *rapid.T) *randomEngine {
	luck := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "luck"), 0))
	d := newFakeEngine()
	d.cfg.Bounds.MaxQueue, d.cfg.Bounds.Quotas = fakeSlots, []int32{0, 0} // it lets everybody in
	return &randomEngine{fakeEngine: d, luck: luck, found: map[string]cache.BlockID{}}
}

// pick draws one of the jobs that will do, or nil.
func (c *randomEngine) pick(will func(j *job) bool) *job {
	var list []*job
	for _, j := range c.jobs {
		if will(j) {
			list = append(list, j)
		}
	}
	if list == nil {
		return nil
	}
	return list[c.luck.IntN(len(list))]
}

func (c *randomEngine) outstanding(j *job) bool {
	return slices.ContainsFunc(append(slices.Clone(c.issued), c.done...), func(f *flight) bool { return f.op == j.last })
}

// submit brings a request whose words others are likely to have, in a slot that nothing names any more.
func (c *randomEngine) submit() {
	for slot := range int32(fakeSlots) {
		if c.named(slot) {
			continue
		}
		prompt := []cache.Token{1, 2, 3, 4, 5}[:1+c.luck.IntN(5)]
		a := ask(c.luck.Int32N(2), slices.Clone(prompt)...)
		c.jobs = append(c.jobs, &job{party: c.accept(slot, slot, a)})
		return
	}
}

func (c *randomEngine) named(slot int32) bool {
	return slices.ContainsFunc(c.jobs, func(j *job) bool { return j.req.Slot == slot }) ||
		slices.ContainsFunc(append(slices.Clone(c.issued), c.done...), func(f *flight) bool { return f.rows[0].req.Slot == slot })
}

// admit lets a request that waits adopt what can be found of it, and gives it a row and its first fresh block.
func (c *randomEngine) admit() {
	j := c.pick(func(j *job) bool { return j.phase == waiting })
	if j == nil || !slices.Contains(c.rows[:], false) {
		return
	}
	var hit []cache.BlockID
	for end := 2; end < len(j.tokens); end += 2 {
		b, ok := c.found[c.key(j, end)]
		if !ok {
			break
		}
		hit = append(hit, b)
	}
	c.adopt(j.party, hit...)
	j.planned = int32(len(hit)) * 2
	j.settled, j.filed = j.planned, j.planned
	if b := c.fresh(); b != cache.None {
		c.fakeEngine.admit(j.party, b)
		return
	}
	c.release(j.req, j.table, true) // nothing to put behind the hit
	j.table = nil
}

func (c *randomEngine) key(j *job, end int) string { return fmt.Sprint(j.ask.ID, j.tokens[:end]) }

// fresh is a free block without an entry; if need be, one that has lost it just now.
func (c *randomEngine) fresh() cache.BlockID {
	for b := range c.refs {
		if c.refs[b] > 0 {
			continue
		}
		if c.entry[b] {
			c.forgetEntry(cache.BlockID(b))
		}
		return cache.BlockID(b)
	}
	return cache.None
}

func (c *randomEngine) forgetEntry(b cache.BlockID) {
	c.unpublish(b)
	c.Block(cache.Poison, cache.Req{}, b, 0)
	for k, x := range c.found {
		if x == b {
			delete(c.found, k)
		}
	}
}

func (c *randomEngine) running(j *job) bool {
	return j.phase == running && j.planned < int32(len(j.tokens))
}

func (c *randomEngine) issue() {
	j := c.pick(c.running)
	if j == nil || len(c.issued)+len(c.done) == 2 {
		return
	}
	n := 1 + c.luck.Int32N(int32(len(j.tokens))-j.planned)
	for int32(len(j.table))*2 < j.planned+n {
		b := c.fresh()
		if b == cache.None {
			return
		}
		c.take(j.party, b)
	}
	f := c.fakeEngine.issue(span{j.party, j.planned, j.planned + n})
	j.planned += n
	j.last = f.op
	c.issued = append(c.issued, f)
}

func (c *randomEngine) finish() {
	if len(c.issued) > 0 {
		c.fakeEngine.finish(c.issued[0])
		c.done, c.issued = append(c.done, c.issued[0]), c.issued[1:]
	}
}

func (c *randomEngine) settle() {
	if len(c.done) == 0 {
		return
	}
	f := c.done[0]
	c.done = c.done[1:]
	c.fakeEngine.settle(f)
	for _, j := range c.jobs {
		if r := f.rows[0]; j.party == r.party && j.req == r.req {
			j.settled = r.run.Hi
			c.file(j)
		}
	}
	c.jobs = slices.DeleteFunc(c.jobs, func(j *job) bool { return j.phase == over })
	c.pay(f.op)
}

// pay gives back what waited for an operation.
func (c *randomEngine) pay(op cache.OpID) {
	for _, o := range c.waiting {
		if o.after == op {
			c.release(o.req, o.table, true)
		}
	}
	c.waiting = slices.DeleteFunc(c.waiting, func(o owed) bool { return o.after == op })
}

// file publishes the full blocks that have settled, unless their content can be found already.
func (c *randomEngine) file(j *job) {
	for ; j.filed+2 <= j.settled; j.filed += 2 {
		b, key := j.table[j.filed/2], c.key(j, int(j.filed)+2)
		if _, ok := c.found[key]; !ok && !c.entry[b] {
			c.publish(j.party, b, 0)
			c.found[key] = b
		}
	}
}

func (c *randomEngine) stop(j *job, k cache.LifeKind, why cache.Cause) {
	out := c.outstanding(j)
	r := c.leave(j.party, k, why)
	if out {
		c.waiting = append(c.waiting, owed{j.last, r, j.table})
	} else {
		c.release(r, j.table, true)
	}
	c.clearRow(j.party, r)
	j.table, j.planned, j.settled, j.filed = nil, 0, 0, 0
}

func (c *randomEngine) preempt() {
	if j := c.pick(func(j *job) bool { return j.phase == running }); j != nil {
		c.stop(j, cache.LostBlocks, cache.ByPreempt)
	}
}

func (c *randomEngine) cancel() {
	if j := c.pick(func(*job) bool { return true }); j != nil {
		c.Cancelled(j.client)
		c.stop(j, cache.Ended, cache.ByCancel)
		c.Ended(j.client, EndCancelled)
		c.jobs = slices.DeleteFunc(c.jobs, func(x *job) bool { return x == j })
	}
}

func (c *randomEngine) close() {
	for len(c.jobs) > 0 {
		c.cancel()
	}
	for len(c.issued)+len(c.done) > 0 {
		c.finish()
		c.settle()
	}
}

// run makes so many moves. What an engine does happens more often than what comes in its way.
func (c *randomEngine) run(moves int, after func()) {
	list := []func(){
		c.submit, c.submit, c.admit, c.admit, c.issue, c.issue, c.issue, c.finish, c.finish, c.finish, c.settle, c.settle,
		c.settle, c.preempt, c.cancel,
	}
	for range moves {
		list[c.luck.IntN(len(list))]()
		after()
	}
}

func TestNoLegalHistoryBreaksAPromiseOrFailsAnAudit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := newRandomEngine(t)
		check := func() {
			c.Audit()
			if c.Broken() {
				t.Fatalf("a legal history breaks %v: %+v", brokenPromises(c.Ledger), c.Breaches())
			}
		}
		c.run(150, check)
		c.close()
		c.AtRest()
		check()
	})
}

// A corruption is a way in which the ledger's counts can go wrong behind its back. It does nothing where it does not
// apply.
type corruption struct {
	name    string
	applies func(x *block, e *entry, tables int32) bool
	corrupt func(l *Ledger, b cache.BlockID)
	breaks  ID
}

var corruptions = []corruption{
	{"a reference too few", func(x *block, _ *entry, tables int32) bool { return tables > 0 && x.refs == tables },
		func(l *Ledger, b cache.BlockID) { l.blocks.list[b].refs-- }, Owner},
	{"held and free at once", func(x *block, _ *entry, _ int32) bool { return true },
		func(l *Ledger, b cache.BlockID) { l.blocks.list[b].held = !l.blocks.list[b].held }, Owner},
	{"a reference to a free block", func(x *block, _ *entry, _ int32) bool { return !x.held },
		func(l *Ledger, b cache.BlockID) { l.blocks.list[b].refs++ }, Owner},
	{"an entry for other content", func(_ *block, e *entry, _ int32) bool { return e.published },
		func(l *Ledger, b cache.BlockID) { l.index.entries[b].tag++ }, Publish},
	{"an entry for a block with a slot of other content", func(_ *block, e *entry, _ int32) bool { return e.published },
		func(l *Ledger, b cache.BlockID) { l.memory.slotAt(0, b, 1).tag++ }, Publish},
	{"an entry for a block with a slot that is poisoned", func(_ *block, e *entry, _ int32) bool { return e.published },
		func(l *Ledger, b cache.BlockID) { l.memory.slotAt(1, b, 0).life = poison }, Publish},
	{"an entry for a block that nothing vouches for", func(_ *block, e *entry, _ int32) bool { return e.published },
		func(l *Ledger, b cache.BlockID) { l.memory.of(1, b).runs[b].n-- }, Publish},
	{"an entry for what has been overwritten", func(_ *block, e *entry, _ int32) bool { return e.published },
		func(l *Ledger, b cache.BlockID) { // for a position that no published block has
			l.Touch(cache.Write, 0, cache.Req{}, lastLayer, cache.Run{Table: []cache.BlockID{b, b, b, b, b}, Lo: 9, Hi: 10})
		}, Publish},
}

func TestAnAuditFindsEveryCorruptedCount(t *testing.T) {
	for _, x := range corruptions {
		t.Run(x.name, func(t *testing.T) {
			met := 0
			rapid.Check(t, func(t *rapid.T) {
				c := newRandomEngine(t)
				c.run(100, func() {})
				if b := c.victim(x.applies); b != cache.None {
					met++
					x.corrupt(c.Ledger, b)
					c.Audit()
					if got := c.Breaches(); len(got) != 1 || got[0].Promise != x.breaks || got[0].Block != b {
						t.Fatalf("breaches %+v, want one of block %d", got, b)
					}
				}
			})
			if met == 0 {
				t.Error("no history had a block to try it on")
			}
		})
	}
}

// victim draws one of the blocks that a corruption applies to.
func (c *randomEngine) victim(applies func(x *block, e *entry, tables int32) bool) cache.BlockID {
	var list []cache.BlockID
	for b, tables := range c.fakeEngine.blocks.count() {
		if applies(&c.blocks.list[b], &c.index.entries[b], tables) {
			list = append(list, cache.BlockID(b))
		}
	}
	if list == nil {
		return cache.None
	}
	return list[c.luck.IntN(len(list))]
}

func TestAnAuditRecountsTheTables(t *testing.T) {
	d := newFakeEngine()
	served(d)
	d.blocks.table(0)[1].block = 5
	d.Audit()
	expect(t, d.Ledger, plainly(Owner, -1).in(5))
}

func TestAtRestTheFullCheckHasItsSay(t *testing.T) {
	d := newFakeEngine()
	a := served(d)
	d.publish(a, 0, 0)
	d.cancel(a)
	d.index.entries[0].tag++
	d.AtRest()
	expect(t, d.Ledger, plainly(Publish, -1).in(0))
}

func TestAnAuditChangesNothingAndMayBeRepeated(t *testing.T) {
	d := newFakeEngine()
	a := served(d)
	d.Audit()
	d.Audit()
	d.pass(a, 3, 4)
	expect(t, d.Ledger)
}
