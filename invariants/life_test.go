package invariants

import (
	"testing"

	"custody/scheduler"
)

func TestStatesAreTheSchedulersInItsOrder(t *testing.T) {
	states := map[string]uint8{
		"absent": stAbsent, "waiting": stWaiting, "loading": stLoading, "loaded": stLoaded, "prefill": stPrefill,
		"decode": stDecode, "preempted": stPreempted, "ended": stEnded,
	}
	if len(states) != int(scheduler.NumStates) {
		t.Fatalf("%d states here, %d there", len(states), scheduler.NumStates)
	}
	for i, name := range scheduler.StateNames {
		if at, ok := states[name]; !ok || int(at) != i {
			t.Errorf("state %q is %d there, and %d (%v) here", name, i, at, ok)
		}
	}
}

func TestEventsAreTheSchedulersInItsOrder(t *testing.T) {
	events := map[string]uint8{
		"submit": onSubmit, "copy": onCopy, "copied": onCopied, "admit": onAdmit, "chunk": onChunk, "token": onToken,
		"stop": onStop, "length": onLength, "cancel": onCancel, "preempt": onPreempt, "requeue": onRequeue,
		"refuse": onRefuse, "lost": onLost,
	}
	if len(events) != int(scheduler.NumOns) {
		t.Fatalf("%d events here, %d there", len(events), scheduler.NumOns)
	}
	for i, name := range scheduler.OnNames {
		if at, ok := events[name]; !ok || int(at) != i {
			t.Errorf("event %q is %d there, and %d (%v) here", name, i, at, ok)
		}
	}
}

func TestEveryTransitionIsCounted(t *testing.T) {
	d := newDesk()
	decoded(d)
	var want Transitions
	want[stAbsent][onSubmit] = 1
	want[stWaiting][onAdmit] = 1
	want[stPrefill][onToken] = 1
	want[stDecode][onToken] = 2
	want[stDecode][onLength] = 1
	if *d.Transitions() != want {
		t.Errorf("transitions %v, want %v", *d.Transitions(), want)
	}
}

// Every line of the lifecycle may be lived: the ledger follows it and finds nothing wrong.
func TestEveryTransitionOfTheLifecycleKeepsOnce(t *testing.T) {
	for _, x := range scheduler.Lifecycle {
		if x.From == scheduler.Absent {
			continue
		}
		d := newDesk()
		p := d.submit(0, amber, 1)
		l := &d.lives[0]
		p.state, l.state, l.sampled, l.earlier = uint8(x.From), uint8(x.From), 1, 1
		d.queued = waits(p.state)
		d.move(p, uint8(x.To), uint8(x.On))
		expect(t, d.Ledger)
		if d.queued != waits(uint8(x.To)) || l.live == (x.To == scheduler.Ended) || l.gen != p.req.Gen {
			t.Errorf("%s in %s: %d queued, life %+v", x.On, x.From, d.queued, *l)
		}
	}
}
