package sim

import (
	"custody/cache"
	"custody/scheduler/protocol"
	"custody/traces"
)

var submitVerb = VerbSpec{Verb: traces.Submit, heard: true, step: StepSubmit, line: submit}

// submit brings a client's request to the engine's door.
func submit(w *World, e *traces.Event) bool {
	r, n := w.roster, w.Node()
	name, tenant := r.number(e.Name), w.cfg.tenant(e.Tenant)
	nameLive := false
	if c := r.latest(name); c != nil {
		nameLive = c.Live
	}
	i := r.vacant(n.Engine)
	fillSpec(&w.spec, e, name, tenant, w.cfg.layoutID)
	r.clients[i] = Client{name: name, Event: w.cursor.index, Tenant: tenant}
	w.saw(Fact{Kind: Submitted, Client: i, Line: e, Spec: &w.spec})
	life, why := cache.Req{}, n.turnsAway(&w.spec, nameLive)
	if why == protocol.NoReason {
		life, why = n.door.Submit(w.now, &w.spec)
	}
	if why != protocol.NoReason {
		w.saw(Fact{Kind: Rejected, Client: i, Line: e, Spec: &w.spec, Why: why, Applied: nameLive})
		return true
	}
	before := r.byName[name]
	r.accept(i, life)
	w.saw(Fact{Kind: Accepted, Client: i, Line: e, Life: life, Before: before})
	n.requestPlan(w.now)
	return true
}

func fillSpec(s *protocol.Spec, e *traces.Event, name, tenant int32, layout uint32) {
	s.ID = cache.Identity{Domain: uint32(tenant + 1), Layout: layout}
	s.Prompt = s.Prompt[:0]
	for _, t := range e.Prompt {
		s.Prompt = append(s.Prompt, cache.Token(t))
	}
	s.Name, s.Tenant, s.Sampling = uint32(name), tenant, samplingOf(e)
	s.Max, s.EOS, s.Priority = e.Int(traces.Max), cache.Token(e.Int(traces.EOS)), e.Int(traces.Prio)
}

// samplingOf turns hundredths into shares.
func samplingOf(e *traces.Event) cache.Sampling {
	return cache.Sampling{
		Seed: e.Seed(), Temp: float32(e.Int(traces.Temp)) / 100, TopK: e.Int(traces.TopK), TopP: float32(e.Int(traces.TopP)) / 100,
	}
}
