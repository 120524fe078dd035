package invariants

import (
	"slices"
	"testing"

	"custody/cache"
	"custody/scheduler/protocol"
)

// brokenPromises are the promises of the recorded breaches, in the order in which they are reported.
func brokenPromises(l *Ledger) []string {
	var names []string
	for _, b := range l.Breaches() {
		names = append(names, Statements[b.Promise].Name)
	}
	return names
}

func wantBroken(t *testing.T, l *Ledger, want ...string) {
	t.Helper()
	if got := brokenPromises(l); !slices.Equal(got, want) {
		t.Errorf("broken: %v, want %v", got, want)
	}
}

// leak lets a request of teal find and read what amber wrote, through an entry that is gone, after it was freed, handed
// out and found again. In one step it breaks, in the order of discovery, publish, written, content and tenant.
func leak(d *fakeEngine) *party {
	a := served(d)
	d.release(d.leave(a, cache.Ended, cache.ByRefusal), a.table, false)
	d.take(d.submit(2, amber, 1), 0)
	b := d.submit(1, teal, 1, 2, 3)
	d.Begin(7, 3)
	d.adopt(b, 0)
	d.read(b, 0, cache.Run{Table: b.table, Hi: 2})
	return b
}

func TestBreachesOfOneStepAreReportedTenantFirst(t *testing.T) {
	d := newFakeEngine()
	d.Begin(6, 2)
	leak(d)
	wantBroken(t, d.Ledger, "tenant", "content", "written", "publish")
}

func TestBreachesAreReportedByStepBeforePromise(t *testing.T) {
	d := newFakeEngine()
	d.Begin(6, 2)
	d.Drained(false)
	leak(d)
	wantBroken(t, d.Ledger, "progress", "tenant", "content", "written", "publish")
	if b := d.Breaches(); b[0].Step != 6 || b[0].Event != 2 || b[1].Step != 7 || b[1].Event != 3 {
		t.Errorf("steps and events: %v", b)
	}
}

func TestEveryPromiseOfAStepHasItsPlaceInTheOrder(t *testing.T) {
	d := newFakeEngine()
	for id := NumPromises; id > 0; id-- {
		d.breach(plain(id-1, -1, ""))
	}
	wantBroken(t, d.Ledger, "tenant", "content", "written", "key", "publish", "row", "count", "inflight", "owner", "once",
		"route", "solo", "marker", "config", "limits", "order", "atomic", "reuse", "mirror", "drain", "progress", "alive")
}

func TestOnlyTheFirstBreachOfAPromiseIsRecorded(t *testing.T) {
	d := newFakeEngine()
	a := served(d)
	d.Begin(1, 0)
	d.Delivered(0, d.answer(a, 4)+1)
	d.Begin(2, 0)
	d.Delivered(0, d.answer(a, 5)+1)
	expect(t, d.Ledger, plainly(Route, 0).at(4))
	if b := d.Breaches()[0]; b.Step != 1 {
		t.Errorf("recorded at step %d, want 1", b.Step)
	}
}

func TestTheRunGoesOnAfterABreach(t *testing.T) {
	d := newFakeEngine()
	b := leak(d)
	before := d.Checks(Content)
	d.Begin(8, 4)
	d.read(b, 0, cache.Run{Table: b.table, Hi: 2})
	d.Crashed("later")
	if d.Checks(Content) != before+2 {
		t.Errorf("after a breach %d slots were checked, want 2", d.Checks(Content)-before)
	}
	wantBroken(t, d.Ledger, "tenant", "content", "written", "publish", "alive")
}

func TestChecksAreCountedInTheUnitOfTheirPromise(t *testing.T) {
	d := newFakeEngine()
	d.cfg.Claims.Order, d.cfg.Claims.Prefix = FirstCome, true
	tailCopy(d)
	d.Try(cache.Admitting, cache.Req{})
	d.Try(cache.Committed, cache.Req{})
	d.Rejected(2, ask(amber, 1), protocol.NameLive, true)
	d.Drained(true)
	d.EndStep()
	d.AtRest()
	for id, s := range Statements {
		if d.Checks(ID(id)) == 0 {
			t.Errorf("%s: no %s were checked", s.Name, s.Unit)
		}
	}
	before := d.Checks(Content)
	d.read(d.submit(2, amber, 1), 1, cache.Run{Table: []cache.BlockID{0, 1}, Lo: 1, Hi: 4})
	for _, id := range []ID{Tenant, Content, Written} {
		if got := d.Checks(id) - before; got != 3 {
			t.Errorf("%s: a read of three slots counts %d", Statements[id].Name, got)
		}
	}
}

func TestAKeptPromiseIsNotBroken(t *testing.T) {
	d := newFakeEngine()
	decoded(d)
	if d.Broken() {
		t.Error("a legal history is broken:", d.Breaches())
	}
	d.Crashed("")
	if !d.Broken() {
		t.Error("a crash is not broken")
	}
}

func TestStatementsStandInTheOrderOfTheirNumbers(t *testing.T) {
	seen := map[string]bool{}
	for i, s := range Statements {
		if s.ID != ID(i) || s.Name == "" || s.Sentence == "" || s.Unit == "" || seen[s.Name] {
			t.Errorf("statement %d: %+v", i, s)
		}
		seen[s.Name] = true
	}
}

func TestRelationsAndSlotStatesHaveTheirWords(t *testing.T) {
	var words []string
	for r := RelNone; r <= RelOther; r++ {
		words = append(words, r.String())
	}
	for s := SlotUnwritten; s <= SlotNone; s++ {
		words = append(words, s.String())
	}
	want := []string{"none", "self", "earlier-life", "same-domain", "other-domain",
		"unwritten", "live", "poisoned", "stale", "none"}
	if !slices.Equal(words, want) {
		t.Errorf("words %v, want %v", words, want)
	}
}
