// Package scheduler is a continuous-batching scheduler after vLLM V1: it decides which requests compute which tokens
// in the next pass, gives them blocks, and takes results in.
//
//	Submit ─▶ waiting ─▶ [loading ─▶ loaded] ─▶ prefill ─▶ decode ─▶ ended
//	             ▲                                  │         │
//	             └────────── preempted ◀────────────┴─────────┘
//
// It is a state machine: calls in, plans and outputs out. It has no clock, and any number of plans may be outstanding.
// For each request it keeps two counts: planned (positions promised to passes, outstanding ones included) and settled
// (positions whose passes have been taken in). Publication and delivery use settled. There is no prefill phase and no
// decode phase: planning lets planned catch up with the known tokens.
//
// Sources: vLLM V1's scheduler; where it differs (overlap by token reference, deferred blocks counted before anybody
// is preempted for them) the place says why.
package scheduler

import (
	"fmt"

	"custody/cache"
	"custody/scheduler/protocol"
)

// PublishPolicy says when a full block can be found by others.
type PublishPolicy uint8

// The publication policies.
const (
	PublishSettled  PublishPolicy = iota // when the pass that computes it has settled
	PublishSchedule                      // when that pass is planned (vLLM), with rollback if it does not happen
)

// Config fixes a scheduler.
type Config struct {
	MaxRows  int32 // running requests
	Budget   int32 // tokens a pass
	Chunk    int32 // tokens of one request a pass; 0 is no limit
	MaxLen   int32 // tokens a request, prompt and output
	MaxQueue int32 // waiting requests
	Requeues int32 // times a worker may send a request back before its refusal is final
	Depth    int32 // outstanding passes
	Vocab    int32
	Policy   Policy
	Publish  PublishPolicy
	Overlap  bool    // plan a request again while its sampled token is outstanding, by reference
	Reserve  bool    // admit only what fits whole (vLLM's reserve_full_isl)
	TailCopy bool    // copy a found last block instead of computing it again
	NoWorker bool    // the handshake failed
	Quotas   []int32 // by tenant: live requests; 0 is no limit
}

// Slots is the size of the request table: everything that can be live, and what has ended while an operation still
// names it.
func (c *Config) Slots() int32 { return c.MaxQueue + c.MaxRows*(c.Depth+2) }

// Stats counts prefix-cache lookups of first admissions.
type Stats struct{ Requests, Queried, Hit int64 }

// Scheduler decides what runs. All of its state is flat: slots, numbers, no pointers between requests.
type Scheduler struct {
	cfg     Config
	pool    *cache.Pool
	obs     cache.Observer
	watch   func(cache.Req, Transition)
	reqs    requests
	queues  queues
	flights flights
	live    []int32 // by tenant
	arrived uint32
	ended   []cache.Req // rows that the worker has yet to clear
	out     []protocol.Output
	stats   Stats

	resetting     bool // the prefix cache will be reset when nothing is held
	retry         bool // an admission of this plan failed on the way
	shortOfBlocks bool // a running request lacked some when the last pass was planned: nobody is given any for a copy

	hit cache.Hit // scratch
}

// New returns an idle scheduler over the pool.
func New(cfg Config, pool *cache.Pool) *Scheduler {
	n := cfg.Slots()
	s := &Scheduler{
		cfg: cfg, pool: pool, reqs: newRequests(n, cfg.MaxLen), queues: newQueues(n), live: make([]int32, len(cfg.Quotas)),
		flights: flights{list: make([]flight, 0, cfg.Depth+cfg.MaxRows)},
	}
	s.Reset()
	return s
}

// Reset returns the scheduler to its first state.
func (s *Scheduler) Reset() {
	s.reqs.reset()
	s.queues.reset()
	s.flights.reset()
	clear(s.live)
	s.ended, s.out = s.ended[:0], s.out[:0]
	s.arrived, s.resetting, s.retry, s.shortOfBlocks, s.stats = 0, false, false, false, Stats{}
}

// Attach sets the observer; nil detaches it.
func (s *Scheduler) Attach(o cache.Observer) { s.obs = o }

// Watch sets who is told each transition of the lifecycle when it is made; nil is nobody.
func (s *Scheduler) Watch(f func(r cache.Req, t Transition)) { s.watch = f }

// Outputs returns the messages for clients since the last call; valid until the next call of any method.
func (s *Scheduler) Outputs() []protocol.Output {
	out := s.out
	s.out = s.out[:0]
	return out
}

// Stats returns the prefix-cache counters.
func (s *Scheduler) Stats() Stats { return s.stats }

// Outstanding is the number of operations planned and neither settled nor lost, by queue.
func (s *Scheduler) Outstanding(q cache.Queue) int32 { return s.flights.count(q) }

// Retry tells whether the last call of Plan gave up an admission because an allocation failed on the way: the next call
// may succeed without anything else having changed.
func (s *Scheduler) Retry() bool { return s.retry }

// Live tells whether the life is the request's present one, and its state.
func (s *Scheduler) Live(r cache.Req) (State, bool) {
	x := s.reqs.at(r.Slot)
	return x.state, x.gen == r.Gen && x.state != Absent && x.state != Ended
}

// Current returns the slot's present life.
func (s *Scheduler) Current(slot int32) cache.Req { return s.reqs.current(slot) }

// Progress returns what is known of a slot's request: its tokens, and how far they are planned and settled.
func (s *Scheduler) Progress(slot int32) (tokens []cache.Token, planned, settled int32) {
	x := s.reqs.at(slot)
	return s.reqs.text(slot), x.planned, x.settled
}

// Queues returns the slots of waiting and running requests, in order; valid until the next change.
func (s *Scheduler) Queues() (waiting, running []int32) { return s.queues.waiting, s.queues.running }

// move makes the transition of the lifecycle table: it changes the state and the list that the request stands in, and
// releases what the table names.
func (s *Scheduler) move(slot int32, on On) {
	x := s.reqs.at(slot)
	t := lifecycle[x.state][on]
	if t.To == Absent {
		panic(fmt.Sprintf("scheduler: %s in state %s", on, x.state))
	}
	if s.obs != nil {
		kind, why := on.Fact()
		s.obs.Life(s.Current(slot), kind, why)
	}
	if s.watch != nil {
		s.watch(s.Current(slot), t)
	}
	x.state = t.To
	if s.queues.of(t.From) != s.queues.of(t.To) { // Prefill and Decode share a list, and a request keeps its place
		s.queues.leave(slot, t.From)
		s.enter(slot, t.To)
	}
	s.release(slot, t.Release)
}

func (s *Scheduler) release(slot int32, what Resource) {
	x := s.reqs.at(slot)
	if what&Blocks != 0 {
		s.pool.Release(s.Current(slot), s.flights.outstanding(x.last.op))
		x.planned, x.settled, x.unsettled = 0, 0, 0
	}
	if what&Row != 0 {
		s.ended = append(s.ended, s.Current(slot))
	}
	if what&Quota != 0 {
		s.live[x.tenant]--
	}
	if what&Life != 0 {
		x.gen++
		s.reqs.vacate(slot)
	}
}

// CloneInto copies the state into dst, a scheduler of the same configuration.
func (s *Scheduler) CloneInto(dst *Scheduler) {
	s.reqs.cloneInto(&dst.reqs)
	s.queues.cloneInto(&dst.queues)
	s.flights.cloneInto(&dst.flights)
	copy(dst.live, s.live)
	dst.ended, dst.out = append(dst.ended[:0], s.ended...), append(dst.out[:0], s.out...)
	dst.arrived, dst.stats = s.arrived, s.stats
	dst.resetting, dst.retry, dst.shortOfBlocks = s.resetting, s.retry, s.shortOfBlocks
}
