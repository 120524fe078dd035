package scheduler

import (
	"custody/cache"
	"custody/scheduler/protocol"
)

// Submit accepts a request into the queue, or says why not. A request that is turned away leaves no trace.
func (s *Scheduler) Submit(spec *protocol.Spec) (cache.Req, protocol.Reason) {
	if why := s.deny(spec); why != protocol.NoReason {
		return cache.Req{}, why
	}
	slot := s.reqs.vacant()
	x := s.reqs.enter(slot, spec, s.cfg.limit(spec), s.arrived)
	s.arrived++
	s.live[x.tenant]++
	s.move(slot, OnSubmit)
	return s.Current(slot), protocol.NoReason
}

// deny is the admission table, in the order in which the reasons are looked at.
func (s *Scheduler) deny(spec *protocol.Spec) protocol.Reason {
	switch {
	case s.cfg.NoWorker:
		return protocol.NoWorker
	case len(spec.Prompt) == 0:
		return protocol.EmptyPrompt
	case int32(len(spec.Prompt)) >= s.cfg.MaxLen:
		return protocol.TooLong
	case spec.Max < 1:
		return protocol.BadLimit
	case !s.cfg.inVocabulary(spec.Prompt):
		return protocol.BadToken
	case spec.Tenant < 0 || int(spec.Tenant) >= len(s.cfg.Quotas):
		return protocol.UnknownTenant
	case s.pool.BlocksFor(s.cfg.limit(spec)-1) > s.pool.Blocks():
		return protocol.NeverFits
	case s.reqs.named(spec.Name):
		return protocol.NameLive
	case int32(len(s.queues.waiting)) >= s.cfg.MaxQueue:
		return protocol.QueueFull
	case s.cfg.Quotas[spec.Tenant] > 0 && s.live[spec.Tenant] >= s.cfg.Quotas[spec.Tenant]:
		return protocol.QuotaFull
	}
	return protocol.NoReason
}

// limit is the most tokens that a request can come to have. The last one is never computed.
func (c *Config) limit(spec *protocol.Spec) int32 {
	return int32(min(int64(len(spec.Prompt))+int64(spec.Max), int64(c.MaxLen)))
}

func (c *Config) inVocabulary(prompt []cache.Token) bool {
	for _, t := range prompt {
		if t < 0 || int32(t) >= c.Vocab {
			return false
		}
	}
	return true
}

// Cancel ends a request because its client went away. It is legal in every live state.
func (s *Scheduler) Cancel(r cache.Req) bool {
	if _, ok := s.Live(r); !ok {
		return false
	}
	s.end(r.Slot, OnCancel, protocol.Cancelled)
	return true
}

// Preempt takes a request's blocks and row away; it waits to compute everything again. It reports false if the request
// holds nothing.
func (s *Scheduler) Preempt(r cache.Req) bool {
	state, ok := s.Live(r)
	if !ok || lifecycle[state][OnPreempt].To == Absent {
		return false
	}
	s.move(r.Slot, OnPreempt)
	return true
}

// ResetPrefix drops the prefix cache. It is refused while anything is held; with force, everything that holds blocks is
// preempted, and the reset happens when nothing is held any more, before anybody is admitted.
// It reports whether the reset has happened or will.
func (s *Scheduler) ResetPrefix(force bool) bool {
	if !force {
		return s.pool.ResetPrefix() == nil
	}
	for _, list := range []*[]int32{&s.queues.loading, &s.queues.loaded, &s.queues.running} {
		for len(*list) > 0 {
			s.move((*list)[len(*list)-1], OnPreempt)
		}
	}
	s.resetting = s.pool.ResetPrefix() != nil
	return true
}

// end tells the client, then makes the transition.
func (s *Scheduler) end(slot int32, on On, why protocol.Reason) {
	s.out = append(s.out, protocol.Output{Req: s.Current(slot), Why: why})
	s.move(slot, on)
}
