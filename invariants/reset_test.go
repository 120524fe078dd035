package invariants

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"custody/cache"
)

// worn has seen all kinds of things, and is left in the middle of them.
func worn() *Ledger {
	d := newFakeEngine()
	d.Begin(6, 2)
	leak(d)
	d.move(d.submit(3, teal, 4, 5), cache.LostBlocks, cache.ByPreempt)
	d.issue()
	d.CopyBlock(1, cache.Copy{From: 0, To: 5})
	d.Touch(cache.Write, 1, cache.Req{}, cache.AllLayers, cache.Run{Table: []cache.BlockID{4}, Hi: 1})
	d.ExemptVictims()
	d.Crashed("")
	return d.Ledger
}

// state is a copy of all that decides what a ledger will find. Buffers whose use begins with writing them are left out.
func state(l *Ledger) Ledger {
	x := *l
	x.blocks.tables, x.blocks.counted, x.rows.reqs = nil, nil, nil
	x.accounts.tokens, x.accounts.seen, x.accounts.heard, x.accounts.tags = nil, nil, nil, nil
	if !x.memory.layered {
		x.memory.apart = nil
	}
	x.lives.known = nil // only those numbered since are looked at
	x.accounts.list, x.ops.open, x.breaches = cut(x.accounts.list), cut(x.ops.open), cut(x.breaches)
	return x
}

func cut[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return list
}

func TestResetReturnsALedgerToItsFirstState(t *testing.T) {
	l := worn()
	if d := differences(l, newFakeEngine().Ledger); len(d) < 27 {
		t.Fatalf("the worn ledger differs from a new one only in %v", d)
	}
	l.Reset()
	if d := differences(l, newFakeEngine().Ledger); d != nil {
		t.Errorf("after Reset a ledger differs from a new one in %v", d)
	}
}

// differences names the fields in which two ledgers differ, book by book.
func differences(l, m *Ledger) (names []string) {
	x, y := reflect.ValueOf(state(l)), reflect.ValueOf(state(m))
	for i := range x.NumField() {
		book := x.Type().Field(i)
		if book.Type.Kind() != reflect.Struct {
			names = append(names, differ(book.Name, x.Field(i), y.Field(i))...)
			continue
		}
		for j := range book.Type.NumField() {
			names = append(names, differ(book.Name+"."+book.Type.Field(j).Name, x.Field(i).Field(j), y.Field(i).Field(j))...)
		}
	}
	return names
}

func differ(name string, x, y reflect.Value) []string {
	if fmt.Sprint(x) == fmt.Sprint(y) {
		return nil
	}
	return []string{name}
}

func TestACloneIsInTheStateOfItsOriginal(t *testing.T) {
	for _, dst := range []*Ledger{newFakeEngine().Ledger, worn()} {
		l := newFakeEngine()
		tailed(l)
		l.Crashed("")
		l.CloneInto(dst)
		if d := differences(l.Ledger, dst); d != nil {
			t.Errorf("a clone differs from its original in %v", d)
		}
	}
}

func TestACloneFindsWhatItsOriginalFinds(t *testing.T) {
	d := newFakeEngine()
	a := served(d)
	b := beside(d, teal, 1, 2, 3)
	d.write(a, a.req, 1, cache.Run{Table: b.table, Hi: 1})
	c := &fakeEngine{Ledger: newFakeEngine().Ledger, op: d.op}
	d.CloneInto(c.Ledger)
	for _, x := range []*fakeEngine{d, c} {
		x.read(b, 1, cache.Run{Table: b.table, Hi: 3})
	}
	if !d.Broken() || !slices.Equal(d.Breaches(), c.Breaches()) {
		t.Errorf("the original finds\n%+v\nthe clone\n%+v", d.Breaches(), c.Breaches())
	}
}

// muddle lets an engine work, and then do a few things that no engine should.
func muddle(l *Ledger, luck uint64) {
	c := &randomEngine{fakeEngine: &fakeEngine{Ledger: l}, luck: rand.New(rand.NewPCG(luck, 0)), found: map[string]cache.BlockID{}}
	c.run(60, func() { l.Begin(l.step+1, 1) })
	for range 20 {
		client := c.luck.Int32N(fakeSlots)
		if int(client) < len(l.accounts.list) {
			r := cache.Req{Slot: client, Gen: c.gens[client]}
			l.Sampled(0, r, c.luck.Int32N(10), cache.Token(c.luck.Int32N(50)))
			l.Delivered(client, cache.Token(c.luck.Int32N(50)))
			l.Touch(cache.Read, 0, r, 1, cache.Run{Table: []cache.BlockID{0, 1, 2, 3, 4}, Hi: 10})
		}
	}
	l.Audit()
}

func TestWhatALedgerFindsDoesNotDependOnWhatItSawBeforeAReset(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		luck := rapid.Uint64().Draw(t, "luck")
		used, fresh := newFakeEngine().Ledger, newFakeEngine().Ledger
		muddle(used, rapid.Uint64().Draw(t, "earlier"))
		used.Reset()
		muddle(used, luck)
		muddle(fresh, luck)
		if !slices.Equal(used.Breaches(), fresh.Breaches()) || used.checks != fresh.checks {
			t.Fatalf("used %+v %v\nfresh %+v %v", used.Breaches(), used.checks, fresh.Breaches(), fresh.checks)
		}
	})
}

// wholeLife is a request's whole life, with all its arguments at hand.
type wholeLife struct {
	ask    *Submission
	table  []cache.BlockID
	answer cache.Token
	use    cache.Used
}

func newWholeLife() *wholeLife {
	e := &wholeLife{ask: ask(amber, 1, 2, 3), table: []cache.BlockID{0, 1}}
	e.ask.Max = 1
	l := newFakeEngine()
	l.Submitted(0, e.ask)
	e.answer = l.accounts.expected(&l.accounts.list[0], 3)
	e.use = cache.Used{Op: 1, ID: e.ask.ID, N: 3, Input: e.ask.Prompt, Table: e.table, Sampling: e.ask.Sampling}
	return e
}

func (e *wholeLife) run(l *Ledger) {
	var r cache.Req
	l.Begin(1, 1)
	l.Submitted(0, e.ask)
	l.Life(r, cache.Accepted, cache.NoCause)
	for _, b := range e.table {
		l.Block(cache.Alloc, r, b, 0)
	}
	l.Life(r, cache.Running, cache.NoCause)
	e.pass(l, r)
	l.Op(cache.Settled, 1, cache.PassQueue)
	l.Count(r, 3)
	l.Block(cache.Publish, r, 0, 0)
	l.Life(r, cache.Ended, cache.ByLength)
	l.Block(cache.Unpublish, r, 0, 0)
	for _, b := range e.table {
		l.Block(cache.Drop, r, b, 0)
		l.Block(cache.Freed, r, b, 0)
		l.Block(cache.Poison, r, b, 0)
	}
	l.Row(cache.Cleared, 0, r)
	l.Delivered(0, e.answer)
	l.Ended(0, EndLength)
	l.EndStep()
	l.Drained(true)
	l.AtRest()
}

func (e *wholeLife) pass(l *Ledger, r cache.Req) {
	l.Op(cache.Issued, 1, cache.PassQueue)
	l.Row(cache.Bound, 0, r)
	l.Planned(1, r, cache.Run{Table: e.table, Hi: 3})
	l.Use(&e.use)
	for layer := range lastLayer + 1 {
		l.Touch(cache.Write, 1, r, layer, cache.Run{Table: e.table, Hi: 3})
		l.Touch(cache.Read, 1, r, layer, cache.Run{Table: e.table, Hi: 3})
	}
	l.Sampled(1, r, 3, e.answer)
	l.Op(cache.Finished, 1, cache.PassQueue)
}

func TestALedgerThatIsWarmAllocatesNothing(t *testing.T) {
	l, e := newFakeEngine().Ledger, newWholeLife()
	n := testing.AllocsPerRun(100, func() {
		l.Reset()
		e.run(l)
	})
	if n != 0 {
		t.Errorf("%v allocations a life, want none", n)
	}
	expect(t, l)
}
