package sim

import (
	"custody/cache"
	"custody/invariants"
	"custody/scheduler/protocol"
	"custody/traces"
)

// Applying a script's events. Every event means something in every state; apply reports whether it did anything.

// apply applies one event now, as a step.
func (w *world) apply(e *traces.Event, index int) bool {
	w.begin(stepOf(e.Verb))
	w.faults.didArm = false
	applied := w.do(e, index)
	w.tellScript(e, applied)
	w.end()
	w.fireAnchors()
	return applied
}

func stepOf(k traces.Verb) Kind {
	switch k {
	case traces.Submit:
		return stepSubmit
	case traces.Cancel:
		return stepCancel
	case traces.Preempt:
		return stepPreempt
	case traces.Reset:
		return stepReset
	case traces.FailAlloc, traces.FailPass, traces.FailCopy, traces.Refuse, traces.Delay, traces.Stall:
		return stepFault
	}
	return stepNop
}

func (w *world) do(e *traces.Event, index int) bool {
	switch e.Verb {
	case traces.Submit:
		return w.submit(e, index)
	case traces.Reset:
		return w.resetPrefix(e.Has(traces.Force))
	}
	c := w.named(e.Name)
	if c == nil || c.ended || !c.live {
		w.ledger.Hit(invariants.NothingToDo)
		return false
	}
	switch e.Verb {
	case traces.Cancel:
		return w.cancel(c)
	case traces.Preempt:
		return w.preempt(w.sched.Current(c.req.Slot))
	case traces.FailAlloc, traces.Refuse, traces.FailPass, traces.FailCopy, traces.Delay, traces.Stall:
		return w.arm(c, e, index)
	}
	return false
}

// named is the latest client of a name, or nil.
func (w *world) named(name string) *client { return w.latest(w.nameNumber(name)) }

// latest is the latest client of the name with that number, or nil.
func (w *world) latest(name int32) *client {
	if i := w.byName[name]; i >= 0 && w.clients[i].name == name {
		return &w.clients[i]
	}
	return nil
}

// nameNumber numbers names in the order of their first use.
func (w *world) nameNumber(name string) int32 {
	n, known := w.numbers[name]
	if !known {
		n = int32(len(w.names))
		w.numbers[name] = n
		w.names = append(w.names, name)
		w.byName = append(w.byName, -1)
	}
	return n
}

// submit brings a client's request to the engine's door.
func (w *world) submit(e *traces.Event, event int) bool {
	name, tenant := w.nameNumber(e.Name), w.tenant(e.Tenant)
	nameLive := false
	if i := w.byName[name]; i >= 0 && w.clients[i].name == name {
		nameLive = w.clients[i].live
	}
	index := w.vacantClient()
	w.fillSpec(e, name, tenant)
	w.clients[index] = client{name: name, event: event, tenant: tenant}
	w.ledger.Submitted(index, &w.ask)
	r, why := w.sched.Submit(&w.spec)
	w.digest.Add(uint64(r.Slot)<<32 ^ uint64(r.Gen)<<16 ^ uint64(why))
	w.coverage.Denials[why]++
	if why != protocol.NoReason {
		w.ledger.Rejected(index, &w.ask, deniedAs(why), nameLive)
		w.tellDenied(e, why)
		return true
	}
	w.coverNameAgain(name)
	w.clients[index] = client{name: name, event: event, tenant: tenant, req: r, live: true, gen: r.Gen}
	w.byName[name], w.bySlot[r.Slot] = index, index
	w.tellAccepted(e)
	w.stir(w.now)
	return true
}

func (w *world) fillSpec(e *traces.Event, name, tenant int32) {
	id := cache.Identity{Domain: uint32(tenant + 1), Layout: w.id}
	w.spec.Prompt = w.spec.Prompt[:0]
	for _, t := range e.Prompt {
		w.spec.Prompt = append(w.spec.Prompt, cache.Token(t))
	}
	w.spec.Name, w.spec.Tenant, w.spec.ID, w.spec.Max = uint32(name), tenant, id, e.Int(traces.Max)
	w.spec.EOS, w.spec.Priority, w.spec.Sampling = cache.Token(e.Int(traces.EOS)), e.Int(traces.Prio), samplingOf(e)
	w.ask = invariants.Submission{
		Tenant: tenant, ID: id, Prompt: w.spec.Prompt, Max: w.spec.Max,
		EOS: w.spec.EOS, Priority: w.spec.Priority, Sampling: w.spec.Sampling,
	}
}

// samplingOf turns hundredths into shares.
func samplingOf(e *traces.Event) cache.Sampling {
	return cache.Sampling{
		Seed: e.Seed(), Temp: float32(e.Int(traces.Temp)) / 100, TopK: e.Int(traces.TopK), TopP: float32(e.Int(traces.TopP)) / 100,
	}
}

// maxClients is how many clients are told apart before the numbers of those that are through are used again. A script of
// a generator has fewer; an endless load needs the bound.
const maxClients = 256

// vacantClient is a new client number or, beyond maxClients, the first that nothing refers to any more: its end is told,
// and its slot is empty or another's.
func (w *world) vacantClient() int32 {
	if len(w.clients) >= maxClients {
		for i := range w.clients {
			if c := &w.clients[i]; !c.live && (w.bySlot[c.req.Slot] != int32(i) || w.sched.Vacant(c.req.Slot)) {
				return int32(i)
			}
		}
	}
	w.clients = append(w.clients, client{})
	return int32(len(w.clients) - 1)
}

func (w *world) cancel(c *client) bool {
	r := w.sched.Current(c.req.Slot)
	w.ledger.Cancelled(w.bySlot[r.Slot])
	w.stir(w.now)
	return w.struck(traces.Cancel, w.sched.Cancel(r))
}

func (w *world) preempt(r cache.Req) bool {
	w.ledger.ExemptVictims()
	w.stir(w.now)
	return w.struck(traces.Preempt, w.sched.Preempt(r))
}

// struck counts an event that strikes at once, if it applied.
func (w *world) struck(k traces.Verb, applied bool) bool {
	w.coverage.Faults[k] += int64(b2i(applied))
	return applied
}

func (w *world) resetPrefix(force bool) bool {
	w.coverage.Resets[b2i(force)][b2i(w.busy())]++
	w.ledger.ExemptVictims()
	done := w.sched.ResetPrefix(force)
	if force {
		w.stir(w.now)
	}
	return done
}

// busy tells whether an operation is outstanding.
func (w *world) busy() bool {
	return w.sched.Outstanding(cache.PassQueue)+w.sched.Outstanding(cache.CopyQueue) > 0
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// deniedAs is the ledger's word for a reason of the admission table.
func deniedAs(r protocol.Reason) invariants.Denied {
	switch r {
	case protocol.EmptyPrompt:
		return invariants.DeniedEmpty
	case protocol.TooLong:
		return invariants.DeniedLong
	case protocol.BadLimit:
		return invariants.DeniedLimit
	case protocol.BadToken:
		return invariants.DeniedToken
	case protocol.UnknownTenant:
		return invariants.DeniedTenant
	case protocol.NameLive:
		return invariants.DeniedName
	case protocol.NeverFits:
		return invariants.DeniedFit
	case protocol.QueueFull:
		return invariants.DeniedQueue
	case protocol.QuotaFull:
		return invariants.DeniedQuota
	}
	return invariants.DeniedWorker
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
