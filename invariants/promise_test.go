package invariants

import (
	"slices"
	"testing"

	"custody/cache"
)

// witness is a promise of a user's that writes down what it is told, and breaks where it is asked to.
type witness struct {
	name   string
	facts  []Observation
	checks []int64 // of promises, when the first fact of a client arrived
	breaks ObservationKind
	words  []string // one for each breach that it will declare
	audits int
}

func (w *witness) ID() string { return w.name }

func (w *witness) Statement() string { return "a statement of my own" }

func (w *witness) Reset() { w.facts, w.checks, w.audits = nil, nil, 0 }

func (w *witness) See(l *Ledger, e *Observation, breach func(string)) {
	kept := *e
	kept.Run.Table = slices.Clone(e.Run.Table)
	w.facts = append(w.facts, kept)
	if e.Kind == SawDelivered {
		w.checks = append(w.checks, l.Checks(Route))
	}
	if e.Kind == w.breaks && len(w.words) > 0 {
		breach(w.words[0])
		w.words = w.words[1:]
	}
}

func (w *witness) Audit(_ *Ledger, breach func(string)) {
	w.audits++
	for _, word := range w.words {
		breach(word)
	}
}

// all makes every kind of fact happen once at least.
func all(d *fakeEngine) {
	d.Begin(11, 2)
	b, op := tailed(d)
	d.settleCopy(b, op)
	d.admit(b)
	d.pass(b, 3, 4)
	d.cancel(b)
}

func TestAPromiseIsToldEveryKindOfFact(t *testing.T) {
	w := &witness{breaks: 255}
	all(newFakeEngine(w))
	var got [SawEnded + 1]int
	for _, f := range w.facts {
		got[f.Kind]++
		if f.Step != 11 {
			t.Errorf("a fact of step %d, want 11", f.Step)
		}
	}
	want := [SawEnded + 1]int{
		SawBlock: 4 + 2 + 2 + 6 + 4 + 2, // handed out, found, published, dropped, freed, poisoned
		SawRead:  4, SawWrite: 4, SawCopy: 1, SawOp: 9, SawSampled: 2, SawRow: 4, SawLife: 10,
		SawSubmitted: 2, SawDelivered: 2, SawEnded: 2,
	}
	if got != want {
		t.Errorf("facts by kind: %v, want %v", got, want)
	}
}

func TestAFactSaysWhatHappened(t *testing.T) {
	w := &witness{breaks: 255}
	d := newFakeEngine(w)
	all(d)
	a, b := cache.Req{Slot: 0}, cache.Req{Slot: 1}
	for _, want := range []Observation{
		{Kind: SawBlock, Req: a, Block: 2, A: int64(cache.Alloc)},
		{Kind: SawBlock, Req: a, Block: 1, A: int64(cache.Publish)},
		{Kind: SawBlock, Req: b, Block: 1, A: int64(cache.Adopt)},
		{Kind: SawBlock, Req: b, Block: 3, A: int64(cache.Drop)},
		{Kind: SawBlock, Req: a, Block: 2, A: int64(cache.Freed)},
		{Kind: SawBlock, Block: 3, A: int64(cache.Poison)},
		{Kind: SawWrite, Req: a, Op: 1, Layer: 1, Run: cache.Run{Table: []cache.BlockID{0, 1, 2}, Hi: 4}},
		{Kind: SawRead, Req: b, Op: 3, Layer: 1, Run: cache.Run{Table: []cache.BlockID{0, 3}, Hi: 4}},
		{Kind: SawCopy, Op: 2, A: 1, B: 3},
		{Kind: SawOp, Op: 2, A: int64(cache.Settled), B: int64(cache.CopyQueue)},
		{Kind: SawSampled, Req: b, Op: 3, A: 4, B: int64(d.answer(&party{client: 1}, 4))},
		{Kind: SawRow, Req: b, A: int64(cache.Cleared), B: 0},
		{Kind: SawLife, Req: b, A: int64(cache.Loaded), B: int64(cache.NoCause)},
		{Kind: SawSubmitted, A: 1},
		{Kind: SawDelivered, A: 1, B: int64(d.answer(&party{client: 1}, 4))},
		{Kind: SawEnded, A: 1, B: int64(EndCancelled)},
	} {
		want.Step = 11
		if !slices.ContainsFunc(w.facts, func(f Observation) bool { return same(&f, &want) }) {
			t.Errorf("never told: %+v", want)
		}
	}
}

func same(f, g *Observation) bool {
	x, y := *f, *g
	x.Run.Table, y.Run.Table = nil, nil
	return slices.Equal(f.Run.Table, g.Run.Table) && x.Kind == y.Kind && x.Step == y.Step && x.Req == y.Req &&
		x.Op == y.Op && x.Block == y.Block && x.Layer == y.Layer && x.Run.Lo == y.Run.Lo && x.Run.Hi == y.Run.Hi &&
		x.A == y.A && x.B == y.B
}

func TestAPromiseIsToldAFactAfterTheLedgerHasTakenItIn(t *testing.T) {
	w := &witness{breaks: 255}
	all(newFakeEngine(w))
	if want := []int64{1, 3}; !slices.Equal(w.checks, want) { // the end of the first answer lies between
		t.Errorf("checks of route at the deliveries: %v, want %v", w.checks, want)
	}
}

func TestTheFirstBreachOfAPromiseOfOnesOwnIsRecorded(t *testing.T) {
	quiet, loud := &witness{breaks: 255}, &witness{breaks: SawDelivered, words: []string{"no", "again"}}
	d := newFakeEngine(quiet, loud)
	all(d)
	want := plainly(NumPromises, -1)
	want.Extra, want.Step, want.Event, want.Detail = 2, 11, 2, "no"
	if b := d.Breaches(); len(b) != 1 || b[0] != want {
		t.Errorf("breaches %+v, want %+v", b, want)
	}
}

func TestAPromiseOfOnesOwnComesAfterTheBuiltInOnesOfItsStep(t *testing.T) {
	loud := &witness{breaks: SawDelivered, words: []string{"no"}}
	d := newFakeEngine(loud)
	d.Begin(1, 0)
	served(d)
	d.Crashed("")
	b := d.Breaches()
	if len(b) != 2 || b[0].Promise != Alive || b[1].Promise != NumPromises {
		t.Errorf("breaches %+v", b)
	}
}

func TestAPromiseOfOnesOwnIsAuditedAtRest(t *testing.T) {
	first, second := &witness{breaks: 255, words: []string{"one"}}, &witness{breaks: 255, words: []string{"two"}}
	d := newFakeEngine(first, second)
	all(d)
	if d.Audit(); first.audits != 0 {
		t.Error("audited while the engine was at work")
	}
	d.AtRest()
	if b := d.Breaches(); len(b) != 2 || b[0].Detail != "one" || b[1].Extra != 2 || b[1].Detail != "two" {
		t.Errorf("breaches %+v", b)
	}
}

func TestAfterAResetAPromiseOfOnesOwnIsUnbroken(t *testing.T) {
	loud := &witness{breaks: SawDelivered, words: []string{"no", "and no"}}
	l := newFakeEngine(loud).Ledger
	for _, word := range []string{"no", "and no"} {
		served(&fakeEngine{Ledger: l})
		if b := l.Breaches(); len(b) != 1 || b[0].Detail != word {
			t.Errorf("breaches %+v, want one that says %q", b, word)
		}
		l.Reset()
	}
}
