package sim

import (
	"custody/cache"
	"custody/invariants"
	"custody/scheduler/protocol"
	"custody/sim/engine"
)

// account is the ledger as a watcher: it tells it the client's side of each fact. It comes before the other watchers, so
// that they find what it has found.
type account struct {
	ledger   *invariants.Ledger
	world    *World
	promises []invariants.Promise
	blamed   [][]string // by breach: the requests involved, the reader first
	ask      invariants.Submission
}

// Start implements Watcher.
func (a *account) Start(*World) {
	a.ledger.Reset()
	a.blamed = nil
}

// Observer implements Observing.
func (a *account) Observer() cache.Observer { return a.ledger }

// Stream implements Streaming.
func (a *account) Stream() cache.Stream { return a.ledger.Stream() }

// Begin implements Watcher.
func (a *account) Begin(s Step) { a.ledger.Begin(s.Number, uint8(s.Kind)) }

// End implements Watcher.
func (a *account) End(Step) {
	a.ledger.EndStep()
	a.nameBreaches()
}

// Hears chooses what it is told.
func (a *account) Hears(k FactKind) bool {
	switch k {
	case Submitted, Rejected, Cancelling, Exempting, Injecting, Resetting, Delivered, Drained, Crashed, Begun, Over:
		return true
	}
	return false
}

// Saw implements Watcher.
func (a *account) Saw(f *Fact) {
	switch f.Kind {
	case Submitted:
		a.ledger.Submitted(f.Client, a.submission(f.Spec))
	case Rejected:
		a.ledger.Rejected(f.Client, a.submission(f.Spec), f.Why, f.Applied)
	case Cancelling:
		a.ledger.Cancelled(f.Client)
	case Exempting, Resetting:
		a.ledger.ExemptVictims()
	case Injecting:
		a.ledger.Injected(f.Client)
	case Delivered:
		if f.Why == protocol.NoReason {
			a.ledger.Delivered(f.Client, f.Token)
		} else {
			a.ledger.Ended(f.Client, endOf(f.Why))
		}
	case Drained:
		a.ledger.Drained(f.Applied)
		if f.Applied {
			a.atRest()
		}
	case Crashed:
		a.ledger.Crashed(f.Text)
		a.nameBreaches()
	}
}

// atRest lets the ledger look at everything. An engine without facts may still show what it holds.
func (a *account) atRest() {
	n := a.world.Node()
	if x, shows := n.Engine.(engine.Looker); shows && !n.Claims.Facts {
		b := x.Books()
		a.ledger.Held(b.Blocks - b.Free)
	}
	a.ledger.AtRest()
}

// submission is what a client asks for, in the ledger's words.
func (a *account) submission(s *protocol.Spec) *invariants.Submission {
	a.ask = invariants.Submission{
		Tenant: s.Tenant, ID: s.ID, Prompt: s.Prompt, Max: s.Max, EOS: s.EOS, Priority: s.Priority, Sampling: s.Sampling,
	}
	return &a.ask
}

// nameBreaches notes who is involved in new breaches: client numbers may be used again.
func (a *account) nameBreaches() {
	if !a.ledger.Broken() {
		return
	}
	for breaches := a.ledger.Breaches(); len(a.blamed) < len(breaches); {
		b := &breaches[len(a.blamed)]
		var names []string
		for _, c := range []int32{b.Reader, b.Writer} {
			if n := a.world.roster.Name(c); n != Nobody && (len(names) == 0 || names[0] != n) {
				names = append(names, n)
			}
		}
		a.blamed = append(a.blamed, names)
	}
}

// endOf is the ledger's word for an end.
func endOf(r protocol.Reason) invariants.End {
	switch r {
	case protocol.Stopped:
		return invariants.EndStop
	case protocol.LengthEnd:
		return invariants.EndLength
	case protocol.Cancelled:
		return invariants.EndCancelled
	}
	return invariants.EndRefused
}
