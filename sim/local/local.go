// Package local is Custody's own engine behind the interface of package engine: the scheduler and the paged KV cache in one
// process, and the worker that carries their plans out.
package local

import (
	"slices"

	"custody/cache"
	"custody/scheduler"
	"custody/scheduler/protocol"
	"custody/sim/engine"
	"custody/traces"
)

// Engine is a pool and its scheduler. The zero value is ready for Hello.
type Engine struct {
	pool  *cache.Pool
	sched *scheduler.Scheduler
	obs   cache.Observer
	setup engine.Setup
	watch func(cache.Req, scheduler.Transition)
}

// New returns an engine that has not been told its setup.
func New() engine.Engine { return &Engine{} }

// Hello implements engine.Engine. The parts are made anew only for another setup.
func (e *Engine) Hello(s engine.Setup) (engine.Claims, error) {
	if e.sched != nil && same(&e.setup, &s) {
		e.pool.Reset()
		e.sched.Reset()
		return e.claims(), nil
	}
	s.Quotas, s.Settings = slices.Clone(s.Quotas), nil // it has none: the script's configuration says all
	e.setup = s
	c := schedulerConfig(&s)
	e.pool = cache.NewPool(cacheConfig(&s, c.Slots()), s.Memory)
	e.sched = scheduler.New(c, e.pool)
	e.Attach(e.obs)
	return e.claims(), nil
}

func same(a, b *engine.Setup) bool {
	return a.Config == b.Config && a.Layout == b.Layout && a.Memory == b.Memory && a.NoWorker == b.NoWorker &&
		slices.Equal(a.Quotas, b.Quotas)
}

func (e *Engine) claims() engine.Claims {
	c := schedulerConfig(&e.setup)
	claims := engine.Claims{
		Slots: c.Slots(), Depth: c.Depth, Queues: 1, Facts: true,
		Publish: publication(&e.setup.Config), Can: takes,
	}
	if c.TailCopy {
		claims.Queues = 2
	}
	if release(&e.setup.Config) == cache.ReleaseSettled {
		claims.Release = engine.ReleaseSettled
	}
	return claims
}

// takes are the verbs that mean something to it: all.
var takes = func() (all []traces.Verb) {
	for v := range traces.NumVerbs {
		all = append(all, v)
	}
	return all
}()

func publication(c *traces.Config) engine.Publication {
	switch {
	case c[traces.Cache] == 0:
		return engine.PublishNever
	case scheduler.PublishPolicy(c[traces.Publish]) == scheduler.PublishSchedule:
		return engine.PublishPlanned
	}
	return engine.PublishSettled
}

// Submit implements engine.Engine.
func (e *Engine) Submit(_ engine.Time, s *protocol.Spec) (cache.Req, protocol.Reason) {
	return e.sched.Submit(s)
}

// Cancel implements engine.Engine.
func (e *Engine) Cancel(r cache.Req) bool { return e.sched.Cancel(r) }

// ResetPrefix implements engine.Engine.
func (e *Engine) ResetPrefix(force bool) bool { return e.sched.ResetPrefix(force) }

// Plan implements engine.Engine.
func (e *Engine) Plan(dst *protocol.Plan) bool { return e.sched.Plan(dst) }

// Settle implements engine.Engine.
func (e *Engine) Settle(r *protocol.Result) { e.sched.Settle(r) }

// Outputs implements engine.Engine.
func (e *Engine) Outputs() []protocol.Output { return e.sched.Outputs() }

// More implements engine.Engine: an allocation has failed on the way, and may succeed the next time.
func (e *Engine) More() bool { return e.sched.Retry() }

// View implements engine.Engine.
func (e *Engine) View(r cache.Req) engine.View {
	now := e.sched.Current(r.Slot)
	state, _ := e.sched.Live(now)
	return engine.View{State: state, Life: now}
}

// Attach implements engine.Engine.
func (e *Engine) Attach(o cache.Observer) {
	e.obs = o
	if e.sched == nil {
		return
	}
	e.pool.Attach(o)
	e.sched.Attach(o)
	e.sched.Watch(e.watch)
}

// WatchLifecycle implements engine.Lifecycled.
func (e *Engine) WatchLifecycle(f func(life cache.Req, t scheduler.Transition)) {
	e.watch = f
	e.sched.Watch(f)
}

// AttachStream sets who follows the KV event stream; nil: nobody.
func (e *Engine) AttachStream(s cache.Stream) { e.pool.AttachStream(s) }

// Preempt implements engine.Preempter.
func (e *Engine) Preempt(r cache.Req) bool { return e.sched.Preempt(r) }

// Refused implements engine.Refusable.
func (e *Engine) Refused(op cache.OpID, list []protocol.Refusal) { e.sched.Refused(op, list) }

// Lost implements engine.Loser.
func (e *Engine) Lost(op cache.OpID, q cache.Queue) { e.sched.Lost(op, q) }

// CloneInto implements engine.Cloner.
func (e *Engine) CloneInto(dst engine.Engine) {
	d := dst.(*Engine)
	e.pool.CloneInto(d.pool)
	e.sched.CloneInto(d.sched)
}

// Canon implements engine.Canonical.
func (e *Engine) Canon(c *cache.Canon) {
	e.sched.Canon(c)
	e.pool.Canon(c)
}

// Queues implements engine.Looker.
func (e *Engine) Queues() (waiting, running []int32) { return e.sched.Queues() }

// FreeBlocks implements engine.Looker.
func (e *Engine) FreeBlocks(dst []cache.BlockID) []cache.BlockID { return e.pool.FreeBlocks(dst) }

// Progress implements engine.Looker.
func (e *Engine) Progress(slot int32) (planned, settled int32) {
	_, planned, settled = e.sched.Progress(slot)
	return planned, settled
}

// Books implements engine.Looker.
func (e *Engine) Books() engine.Books {
	stats := e.sched.Stats()
	return engine.Books{
		Free: e.pool.Free(), Blocks: e.pool.Blocks(), Entries: e.pool.Entries(), Collisions: e.pool.Collisions(),
		Queried: stats.Queried, Hit: stats.Hit,
	}
}

// schedulerConfig is the scheduler's part of a setup.
func schedulerConfig(s *engine.Setup) scheduler.Config {
	c := &s.Config
	return scheduler.Config{
		MaxRows: i32(c, traces.Rows), Budget: i32(c, traces.Budget), Chunk: i32(c, traces.Chunk), MaxLen: i32(c, traces.MaxLen),
		MaxQueue: i32(c, traces.Queue), Requeues: i32(c, traces.Requeues), Depth: i32(c, traces.Depth), Vocab: i32(c, traces.Vocab),
		Policy: scheduler.Policy(c[traces.Policy]), Publish: scheduler.PublishPolicy(c[traces.Publish]),
		Overlap: c[traces.Overlap] == 1, Reserve: c[traces.Reserve] == 1, TailCopy: c[traces.Copy] > 0,
		NoWorker: s.NoWorker, Quotas: s.Quotas,
	}
}

// cacheConfig is the pool's part of a setup.
func cacheConfig(s *engine.Setup, slots int32) cache.Config {
	c := &s.Config
	return cache.Config{
		Layout: s.Layout, Reqs: slots, MaxLen: i32(c, traces.MaxLen), Prefix: c[traces.Cache] == 1,
		KeyBits: int(c[traces.KeyBits]), Order: cache.FreeOrder(c[traces.Free]),
		Seed: uint64(c[traces.Seed]), Release: release(c), Veto: s.Veto,
	}
}

func i32(c *traces.Config, k traces.Key) int32 { return int32(c[k]) }

// release is the release policy. With a second queue, blocks cannot return before their operations have settled: the
// order of the passes says nothing about a copy (vLLM defers frees in the same case).
func release(c *traces.Config) cache.ReleasePolicy {
	if c[traces.Copy] > 0 {
		return cache.ReleaseSettled
	}
	return cache.ReleasePolicy(c[traces.Release])
}
