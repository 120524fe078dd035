package invariants

import (
	"slices"
	"testing"

	"custody/cache"
	"custody/scheduler"
)

// phases are the scheduler's states, as the ledger tells them apart.
var phases = [scheduler.NumStates]phase{
	scheduler.Absent: over, scheduler.Waiting: waiting, scheduler.Loading: loading, scheduler.Loaded: loaded,
	scheduler.Prefill: running, scheduler.Decode: running, scheduler.Preempted: waiting, scheduler.Ended: over,
}

// Every line of the scheduler's lifecycle may be lived: the ledger follows it and finds nothing wrong.
func TestEveryTransitionOfTheLifecycleKeepsOnce(t *testing.T) {
	for _, x := range scheduler.Lifecycle {
		if x.From == scheduler.Absent {
			continue
		}
		d := newFakeEngine()
		p := d.submit(0, amber, 1)
		l := &d.lives.present[0]
		p.phase, l.phase, l.sampled, l.earlier = phases[x.From], phases[x.From], 1, 1
		d.door.queued = p.phase.waits()
		k, why := x.On.Fact()
		d.move(p, k, why)
		expect(t, d.Ledger)
		if p.phase != phases[x.To] || l.phase != p.phase || l.gen != p.req.Gen || d.door.queued != p.phase.waits() {
			t.Errorf("%s in %s: %d queued, life %+v", x.On, x.From, d.door.queued, *l)
		}
	}
}

// What no engine may report of a request in a phase breaks once, and everything else does not.
func TestAFactThatCannotBeInAPhaseBreaksOnce(t *testing.T) {
	can := map[phase][]cache.LifeKind{
		waiting: {cache.Loading, cache.Running, cache.Ended},
		loading: {cache.Loaded, cache.LostBlocks, cache.Ended},
		loaded:  {cache.Running, cache.LostBlocks, cache.Ended},
		running: {cache.Advanced, cache.LostBlocks, cache.Ended},
	}
	for from, kinds := range can {
		for k := cache.Loading; k <= cache.Ended; k++ {
			d := newFakeEngine()
			p := d.submit(0, amber, 1)
			d.lives.present[0].phase, d.door.queued = from, from.waits()
			d.move(p, k, cache.ByChunk)
			var want []Breach
			if !slices.Contains(kinds, k) {
				want = []Breach{plainly(Once, 0)}
			}
			expect(t, d.Ledger, want...)
		}
	}
}
