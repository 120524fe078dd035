package scheduler_test

import (
	"encoding/json"
	"fmt"
	"slices"

	"custody/cache"
	"custody/scheduler"
	"custody/scheduler/protocol"
)

// vectorEngine is the engine as a vector sees it: requests have names, and what the last event did can be asked for.
// Vectors count vLLM's blocks, whose block 0 is reserved: `shift` is added to ours.
type vectorEngine struct {
	cfg   setup
	level string
	shift cache.BlockID
	pool  *cache.Pool
	sched *scheduler.Scheduler
	watch watcher

	clients map[string]*client
	order   []*client // by submission
	steps   map[string]*step
	holder  map[cache.BlockID]cache.Req // level freelist: who keeps a block off the list

	// What the last event did.
	ok      bool
	hit     *cache.Hit
	fresh   []cache.BlockID
	step    *step
	ended   map[string]string
	emitted map[string][]cache.Token
	total   int32 // tokens scheduled since the start
}

// client is a request and what its client has of it.
type client struct {
	name        string
	req         cache.Req // level kv: its life; level sched: its slot
	id          cache.Identity
	tokens      []cache.Token
	noRead      bool
	hit         cache.Hit
	computed    int32
	outputs     []cache.Token
	why         protocol.Reason
	preemptions int
	started     bool
}

// step is a plan that has been made.
type step struct {
	op                cache.OpID
	rows              []stepRow
	admitted, resumed []string
	done              bool
}

type stepRow struct {
	req    cache.Req
	name   string
	start  int32
	n      int32
	sample bool
}

const (
	eos      = 50256
	noEOS    = -1
	vocab    = 1 << 17
	maxSteps = 64
)

func or(n, otherwise int32) int32 {
	if n != 0 {
		return n
	}
	return otherwise
}

func newVectorEngine(v *vector) *vectorEngine {
	s := &vectorEngine{cfg: v.Config, level: v.Level, clients: map[string]*client{}, steps: map[string]*step{},
		holder: map[cache.BlockID]cache.Req{}}
	switch v.Level {
	case "freelist":
		s.freelist()
	case "kv":
		s.shift = 1
		s.newPool(or(s.cfg.MaxLen, 8192), int32(len(v.Events)), s.cfg.Prefix == nil || *s.cfg.Prefix)
	default:
		s.shift = 1
		s.newScheduler(int32(len(v.Events)))
	}
	return s
}

func (s *vectorEngine) newPool(maxLen, reqs int32, prefix bool) {
	layout := cache.Layout{Blocks: s.cfg.NumBlocks - int32(s.shift), Layers: 1, BlockTokens: s.cfg.BlockSize, TokenWords: 1}
	s.pool = cache.NewPool(cache.Config{
		Layout: layout, Reqs: reqs, MaxLen: maxLen, Prefix: prefix, KeyBits: 64,
		Order: cache.FreeVLLM, Release: cache.ReleaseOrdered,
	}, cache.NewMemory(layout))
	s.watch = watcher{s: s, entries: map[cache.BlockID]string{}}
	s.pool.Attach(&s.watch)
}

func (s *vectorEngine) newScheduler(queue int32) {
	c := scheduler.Config{
		MaxRows: or(s.cfg.MaxSeqs, 16), Budget: or(s.cfg.Budget, 8192), Chunk: s.cfg.Chunk, MaxLen: or(s.cfg.MaxLen, 2048),
		MaxQueue: queue, Depth: maxSteps, Vocab: vocab, Publish: scheduler.PublishSchedule,
		Overlap: s.cfg.Async, Reserve: true, Quotas: []int32{0},
	}
	if s.cfg.Policy == "priority" {
		c.Policy = scheduler.Priority
	}
	s.newPool(c.MaxLen, c.Slots(), s.cfg.Prefix != nil && *s.cfg.Prefix)
	s.sched = scheduler.New(c, s.pool)
	s.sched.Attach(&s.watch)
}

// do applies an event.
func (s *vectorEngine) do(e *event) error {
	s.ended, s.emitted = map[string]string{}, map[string][]cache.Token{}
	op := ops[s.level+" "+e.Op]
	if op == nil {
		return fmt.Errorf("no operation %q at level %s", e.Op, s.level)
	}
	if err := op(s, e); err != nil {
		return fmt.Errorf("%s %s: %w", e.Op, e.Req, err)
	}
	return nil
}

var ops = map[string]func(*vectorEngine, *event) error{
	"freelist pop":     (*vectorEngine).pop,
	"freelist remove":  func(s *vectorEngine, e *event) error { return s.take(e.Block) },
	"freelist append":  func(s *vectorEngine, e *event) error { return s.giveAll(e.Blocks, true) },
	"freelist prepend": func(s *vectorEngine, e *event) error { return s.giveAll(reversed(e.Blocks), false) },

	"kv submit":             (*vectorEngine).accept,
	"kv lookup":             (*vectorEngine).lookup,
	"kv alloc":              (*vectorEngine).alloc,
	"kv append":             (*vectorEngine).lengthen,
	"kv free":               (*vectorEngine).free,
	"kv reset_prefix_cache": (*vectorEngine).resetPool,
	"kv take_events":        func(*vectorEngine, *event) error { return nil },

	"sched submit":             (*vectorEngine).submit,
	"sched schedule":           func(s *vectorEngine, e *event) error { return s.schedule(e.As) },
	"sched output":             (*vectorEngine).output,
	"sched finish":             (*vectorEngine).finish,
	"sched preempt":            (*vectorEngine).preempt,
	"sched reset_prefix_cache": func(s *vectorEngine, _ *event) error { s.ok = s.sched.ResetPrefix(false); return nil },
	"sched run_to_completion":  func(s *vectorEngine, e *event) error { return s.complete(e.Token) },
}

// Level freelist. The pool gives and takes single blocks: a request per block. A block goes back to the front, or to
// the back if it is published.

func (s *vectorEngine) freelist() {
	s.cfg.BlockSize, s.cfg.NumBlocks = 1, int32(len(s.cfg.Initial)+len(s.cfg.Others))
	s.newPool(1, s.cfg.NumBlocks, true)
	for range s.cfg.NumBlocks {
		s.takeFront()
	}
	s.giveAll(reversed(s.cfg.Initial), false)
}

// takeFront moves the front of the list to a request of its own.
func (s *vectorEngine) takeFront() cache.BlockID {
	r := s.spare()
	if err := s.pool.Admit(r, &cache.Hit{Tail: cache.None}, 1, 0); err != nil {
		return cache.None
	}
	b := s.pool.Table(r)[0]
	s.holder[b] = r
	return b
}

func (s *vectorEngine) spare() cache.Req {
	for slot := int32(0); ; slot++ {
		if r := (cache.Req{Slot: slot}); len(s.pool.Table(r)) == 0 {
			return r
		}
	}
}

func (s *vectorEngine) pop(e *event) error {
	s.fresh = s.fresh[:0]
	for range e.N {
		s.fresh = append(s.fresh, s.takeFront())
	}
	return nil
}

// take takes a block out of the middle, as a hit does.
func (s *vectorEngine) take(b cache.BlockID) error {
	if _, published := s.pool.Look(b); !published {
		return fmt.Errorf("block %d has no entry: it could only leave at the front", b)
	}
	r := s.spare()
	s.holder[b] = r
	return s.pool.Admit(r, &cache.Hit{Blocks: []cache.BlockID{b}, Tail: cache.None}, 1, 0)
}

func (s *vectorEngine) giveAll(list []cache.BlockID, published bool) error {
	for _, b := range list {
		r, ok := s.holder[b]
		if !ok {
			return fmt.Errorf("block %d is free already", b)
		}
		if published {
			s.pool.Publish(r, cache.Identity{Domain: uint32(b)}, []cache.Token{0}, 1, 0)
		}
		s.pool.Release(r, 0)
		delete(s.holder, b)
	}
	return nil
}

func reversed(list []cache.BlockID) []cache.BlockID {
	list = slices.Clone(list)
	slices.Reverse(list)
	return list
}

// Level kv: the pool alone.

func (s *vectorEngine) accept(e *event) error {
	tokens, err := run(e.Tokens)
	if err != nil {
		return err
	}
	c := &client{name: e.Req, id: s.identity(e), tokens: tokens, noRead: e.NoRead, req: cache.Req{Slot: int32(len(s.order)), Gen: 1}}
	s.clients[e.Req], s.order = c, append(s.order, c)
	s.pool.Lookup(c.id, nil, &c.hit)
	return nil
}

// identity gives a salt or an adapter the number of its first use; none is 0.
func (s *vectorEngine) identity(e *event) cache.Identity {
	return cache.Identity{Domain: s.watch.word(e.Salt), Adapter: s.watch.word(e.Adapter)}
}

func (s *vectorEngine) lookup(e *event) error {
	c := s.clients[e.Req]
	asked := c.tokens
	if c.noRead {
		asked = nil
	}
	s.pool.Lookup(c.id, asked, &c.hit)
	s.hit = &c.hit
	return nil
}

// alloc uses up the lookup before it. What it covers is published at once, looked-ahead positions aside.
func (s *vectorEngine) alloc(e *event) error {
	c := s.clients[e.Req]
	had, err := len(s.pool.Table(c.req)), error(nil)
	if had == 0 {
		c.computed = c.hit.Tokens
		had = len(c.hit.Blocks)
		err = s.pool.Admit(c.req, &c.hit, c.computed+e.New+e.Lookahead, 0)
	} else {
		err = s.pool.Grow(c.req, c.computed+e.New+e.Lookahead)
	}
	s.pool.Lookup(c.id, nil, &c.hit)
	if s.ok = err == nil; !s.ok {
		return nil
	}
	s.fresh = slices.Clone(s.pool.Table(c.req)[had:])
	c.computed += e.New
	s.watch.batch()
	s.pool.Publish(c.req, c.id, c.tokens, min(c.computed, int32(len(c.tokens))), 0)
	return nil
}

func (s *vectorEngine) lengthen(e *event) error {
	more, err := run(e.Tokens)
	c := s.clients[e.Req]
	c.tokens = append(c.tokens, more...)
	return err
}

func (s *vectorEngine) free(e *event) error {
	c := s.clients[e.Req]
	s.pool.Release(c.req, 0)
	c.computed = 0
	return nil
}

func (s *vectorEngine) resetPool(*event) error {
	s.watch.clearing = true
	s.ok = s.pool.ResetPrefix() == nil
	s.watch.clearing = false
	if s.ok {
		s.watch.events = append(s.watch.events, blockEvent{kind: "AllBlocksCleared"})
	}
	return nil
}

// fullBlocks is how many blocks of a request's tokens a pool of its own publishes.
func (s *vectorEngine) fullBlocks(c *client) int32 {
	alone := &vectorEngine{cfg: s.cfg, shift: s.shift}
	alone.newPool(int32(len(c.tokens))+1, 1, true)
	r := cache.Req{}
	if alone.pool.Admit(r, &cache.Hit{Tail: cache.None}, int32(len(c.tokens)), 0) != nil {
		return -1
	}
	alone.watch.s.order = []*client{c}
	alone.pool.Publish(r, c.id, c.tokens, int32(len(c.tokens)), 0)
	return alone.pool.Entries()
}

// Level sched: the scheduler and its pool.

func (s *vectorEngine) submit(e *event) error {
	tokens, err := run(e.Tokens)
	if err != nil {
		return err
	}
	spec := protocol.Spec{
		Name: uint32(len(s.order)), ID: s.identity(e), Prompt: tokens, Max: or(e.Max, 16), EOS: eos, Priority: e.Priority,
	}
	if e.IgnoreEOS {
		spec.EOS = noEOS
	}
	r, why := s.sched.Submit(&spec)
	if why != protocol.NoReason {
		return fmt.Errorf("turned away: %s", why)
	}
	c := &client{name: e.Req, req: r, id: spec.ID}
	s.clients[e.Req], s.order = c, append(s.order, c)
	return nil
}

// at finds whose life stands in a slot.
func (s *vectorEngine) at(slot int32) *client {
	for i := len(s.order) - 1; i >= 0; i-- {
		if c := s.order[i]; c.req.Slot == slot {
			return c
		}
	}
	return nil
}

func (s *vectorEngine) schedule(as string) error {
	var plan protocol.Plan
	s.sched.Plan(&plan)
	st := &step{op: plan.Op, done: plan.Op == 0}
	for i := range plan.Rows {
		p := &plan.Rows[i]
		c := s.at(p.Req.Slot)
		st.rows = append(st.rows, stepRow{req: p.Req, name: c.name, start: p.Start, n: p.N, sample: p.Sample})
		s.total += p.N
		if p.New && c.started {
			st.resumed = append(st.resumed, c.name)
		} else if p.New {
			st.admitted = append(st.admitted, c.name)
		}
		c.started = true
	}
	s.step, s.steps[as] = st, st
	return nil
}

// output settles a step. Rows that sample take their token from the event.
func (s *vectorEngine) output(e *event) error {
	var given map[string][]cache.Token
	if e.Tokens != nil {
		if err := json.Unmarshal(e.Tokens, &given); err != nil {
			return err
		}
	}
	return s.settle(s.steps[e.Step], func(name string) (cache.Token, error) {
		switch list := given[name]; {
		case len(list) == 1:
			return list[0], nil
		case e.Tokens == nil:
			return e.Default, nil
		default:
			return 0, fmt.Errorf("step %s samples for %s, and the vector gives it %d tokens", e.Step, name, len(list))
		}
	})
}

func (s *vectorEngine) settle(st *step, token func(name string) (cache.Token, error)) error {
	if st == nil {
		return fmt.Errorf("no such step")
	}
	if st.done {
		return nil
	}
	st.done = true
	res := protocol.Result{Op: st.op}
	for _, row := range st.rows {
		r := protocol.RowResult{Req: row.req}
		if row.sample {
			t, err := token(row.name)
			if err != nil {
				return err
			}
			r.Tokens = []cache.Token{t}
		}
		res.Rows = append(res.Rows, r)
	}
	s.sched.Settle(&res)
	s.deliver()
	return nil
}

// deliver gives clients their messages.
func (s *vectorEngine) deliver() {
	for _, o := range s.sched.Outputs() {
		c := s.at(o.Req.Slot)
		if o.Why != protocol.NoReason {
			c.why = o.Why
			s.ended[c.name] = finishWords[o.Why]
		} else {
			c.outputs = append(c.outputs, o.Token)
			s.emitted[c.name] = append(s.emitted[c.name], o.Token)
		}
	}
}

func (s *vectorEngine) finish(e *event) error {
	if c := s.clients[e.Req]; c.why == protocol.NoReason {
		s.sched.Cancel(s.sched.Current(c.req.Slot))
		s.deliver()
	}
	return nil
}

func (s *vectorEngine) preempt(e *event) error {
	if !s.sched.Preempt(s.sched.Current(s.clients[e.Req].req.Slot)) {
		return fmt.Errorf("holds nothing")
	}
	return nil
}

// complete schedules and settles until nothing is left.
func (s *vectorEngine) complete(t cache.Token) error {
	for range 10000 {
		if len(s.live()) == 0 {
			return nil
		}
		if err := s.schedule("completion"); err != nil {
			return err
		}
		if err := s.settle(s.step, func(string) (cache.Token, error) { return t, nil }); err != nil {
			return err
		}
	}
	return fmt.Errorf("does not end")
}

func (s *vectorEngine) live() []string {
	list := []string{}
	for _, c := range s.order {
		if c.why == protocol.NoReason {
			list = append(list, c.name)
		}
	}
	return list
}

// pipeline keeps two steps in flight, settles the oldest, and aborts a request before each, until nothing is left.
func (s *vectorEngine) pipeline(v *vector) error {
	var flying []*step
	for i := range v.Events {
		if e := &v.Events[i]; e.Op == "schedule" {
			flying = append(flying, s.steps[e.As])
		}
	}
	aborts := v.Aborts
	for n := 0; len(flying) > 0; n++ {
		if n > 1000 {
			return fmt.Errorf("does not end")
		}
		if len(aborts) > 0 {
			s.finish(&event{Req: fmt.Sprint(aborts[0])})
			aborts = aborts[1:]
		}
		at := cache.Token(0)
		if err := s.settle(flying[0], func(string) (cache.Token, error) { at++; return at - 1, nil }); err != nil {
			return err
		}
		flying = flying[1:]
		if len(s.live()) > 0 {
			s.schedule("pipeline")
			flying = append(flying, s.step)
		}
	}
	return nil
}
