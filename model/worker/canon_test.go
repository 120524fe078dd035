package worker_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/cache"
	"custody/model"
	"custody/model/worker"
	"custody/scheduler"
	"custody/scheduler/protocol"
)

// engine is a whole engine: what is on its way between its parts is oldest first.
type engine struct {
	cfg    setting
	mem    *cache.Memory
	pool   *cache.Pool
	sched  *scheduler.Scheduler
	runner *worker.Runner
	issued [cache.NumQueues][]cache.OpID
	done   [cache.NumQueues][]protocol.Result
	names  uint32
}

type setting struct {
	scheduler.Config
	pool cache.Config
	rows int32
	past []int // events that come first
}

func newEngine(cfg setting) *engine {
	layout := cache.Layout{Blocks: 5, Layers: model.HashLayers, BlockTokens: 2, TokenWords: 1}
	cfg.pool.Layout, cfg.pool.Reqs, cfg.pool.MaxLen = layout, cfg.Slots(), cfg.MaxLen
	e := &engine{cfg: cfg, mem: cache.NewMemory(layout)}
	e.pool = cache.NewPool(cfg.pool, e.mem)
	e.sched = scheduler.New(cfg.Config, e.pool)
	limits := worker.Limits{Rows: cfg.rows, Budget: cfg.Budget, MaxLen: cfg.MaxLen}
	e.runner = worker.New(worker.Config{Limits: limits, Layout: layout}, model.NewHash(8), e.mem)
	return e
}

// cloneInto copies the engine into dst, of the same setting.
func (e *engine) cloneInto(dst *engine) *engine {
	e.mem.CloneInto(dst.mem)
	e.pool.CloneInto(dst.pool)
	e.sched.CloneInto(dst.sched)
	e.runner.CloneInto(dst.runner)
	dst.names = e.names
	for q := range e.issued {
		dst.issued[q], dst.done[q] = append(dst.issued[q][:0], e.issued[q]...), nil
		for i := range e.done[q] {
			var r protocol.Result
			e.done[q][i].CloneInto(&r)
			dst.done[q] = append(dst.done[q], r)
		}
	}
	return dst
}

// canon writes the engine down, and says in which order it has named the requests.
func (e *engine) canon(c *cache.Canon) [2]uint64 {
	c.Reset()
	e.sched.Canon(c)
	e.pool.Canon(c)
	e.runner.Canon(c)
	for q := range e.done {
		c.Int(int32(len(e.done[q])))
		for _, r := range e.done[q] {
			c.Op(r.Op)
			for _, row := range r.Rows {
				c.Req(row.Req)
				c.Tokens(row.Tokens)
			}
		}
	}
	return c.Sum()
}

// prompts are what a tenant may ask: the second one goes on as the first begins, and is of whole blocks.
var prompts = [][]cache.Token{{1, 2, 3}, {1, 2, 3, 4}}

// numEvents is how many things may happen to an engine in which two requests may be named.
const numEvents = 14

// apply lets something happen, and says what clients are told. Requests and tenants are meant by their place in the form.
func (e *engine) apply(event int, lives []cache.Req, tenants []int32) string {
	switch event {
	case 0, 1, 2, 3:
		tenant := tenants[event%2]
		e.names++
		_, why := e.sched.Submit(&protocol.Spec{
			Name: e.names, Tenant: tenant, ID: cache.Identity{Domain: uint32(tenant) + 1}, Prompt: prompts[event/2], Max: 2, EOS: -1,
		})
		return why.String()
	case 4:
		return e.plan()
	case 5, 6:
		e.finish(cache.Queue(event - 5))
	case 7, 8:
		e.settle(cache.Queue(event - 7))
	case 9, 10:
		if i := event - 9; i < len(lives) {
			e.sched.Cancel(lives[i])
		}
	case 11, 12:
		if i := event - 11; i < len(lives) {
			e.sched.Preempt(lives[i])
		}
	case 13:
		e.sched.ResetPrefix(true)
	}
	return e.told()
}

func (e *engine) plan() string {
	var plan protocol.Plan
	made := e.sched.Plan(&plan)
	if refused := e.runner.Issue(&plan); len(refused) > 0 {
		e.sched.Refused(plan.Op, refused)
	}
	if plan.Op != 0 {
		e.issued[plan.Queue] = append(e.issued[plan.Queue], plan.Op)
	}
	return fmt.Sprint(made, len(plan.Rows), len(plan.Ended), e.told())
}

func (e *engine) finish(q cache.Queue) {
	if len(e.issued[q]) > 0 {
		var r protocol.Result
		e.runner.Finish(e.issued[q][0], &r)
		e.issued[q], e.done[q] = e.issued[q][1:], append(e.done[q], r)
	}
}

func (e *engine) settle(q cache.Queue) {
	if len(e.done[q]) > 0 {
		e.sched.Settle(&e.done[q][0])
		e.done[q] = e.done[q][1:]
	}
}

func (e *engine) told() (text string) {
	for _, o := range e.sched.Outputs() {
		text += fmt.Sprint(" ", o.Token, o.Why)
	}
	return text
}

// Engines of one form go on as one: whatever happens next to both, they say the same and have one form again. All ways of
// so many events are tried; from a form that was seen before, the first way to it and the new one are compared.
func TestEnginesOfOneFormGoOnAsOne(t *testing.T) {
	ordinary := scheduler.Config{
		MaxRows: 2, Budget: 4, MaxLen: 8, MaxQueue: 2, Depth: 2, Vocab: 8, Overlap: true, Quotas: []int32{0, 0},
	}
	with := func(change func(*setting)) setting {
		s := setting{Config: ordinary, rows: 2, pool: cache.Config{KeyBits: 64, Prefix: true}}
		change(&s)
		return s
	}
	answered := []int{2, 4, 5, 7, 4, 5, 7, 4} // a request has come, been computed in two passes and gone
	depth := 5
	if testing.Short() {
		depth = 4
	}
	for name, cfg := range map[string]setting{
		"ordinary":               with(func(*setting) {}),
		"nothing is cached":      with(func(s *setting) { s.pool.Prefix = false }),
		"tails are copied":       with(func(s *setting) { s.TailCopy, s.past = true, answered }),
		"published when planned": with(func(s *setting) { s.Publish = scheduler.PublishSchedule }),
		"released at once": with(func(s *setting) {
			s.Publish, s.pool.Release = scheduler.PublishSchedule, cache.ReleaseOrdered
		}),
		"a random order, chunks": with(func(s *setting) { s.pool.Order, s.Chunk = cache.FreeRandom, 2 }),
		"something is cached":    with(func(s *setting) { s.past = answered }),
		"a worker of one row":    with(func(s *setting) { s.rows = 1 }),
		"by priority":            with(func(s *setting) { s.Policy, s.pool.KeyBits = scheduler.Priority, 1 }),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := search{seen: map[[2]uint64]*engine{}}
			e := newEngine(cfg)
			for _, event := range cfg.past {
				e, _ = s.after(e, newEngine(cfg), event)
			}
			s.from(t, e, depth)
			t.Logf("%d forms, %d comparisons", len(s.seen), s.compared)
			require.Greater(t, s.compared, 100)
		})
	}
}

// search walks all ways, breadth first.
type search struct {
	seen     map[[2]uint64]*engine
	compared int
	twins    [2]*engine
	form     cache.Canon
}

func (s *search) from(t *testing.T, e *engine, depth int) {
	s.twins = [2]*engine{newEngine(e.cfg), newEngine(e.cfg)}
	s.seen[e.canon(&s.form)] = e
	for level := []*engine{e}; depth > 0; depth-- {
		var next []*engine
		for _, e := range level {
			for event := range numEvents {
				after, _ := s.after(e, newEngine(e.cfg), event)
				sum := after.canon(&s.form)
				if first := s.seen[sum]; first == nil {
					s.seen[sum] = after
					next = append(next, after)
				} else {
					s.compare(t, first, after)
				}
			}
		}
		level = next
	}
}

// after makes dst an engine to which something has happened, and tells what was said.
func (s *search) after(e, dst *engine, event int) (*engine, string) {
	e.canon(&s.form)
	e.cloneInto(dst)
	return dst, dst.apply(event, s.form.Lives(), s.form.Tenants())
}

func (s *search) compare(t *testing.T, a, b *engine) {
	for event := range numEvents {
		x, saidA := s.after(a, s.twins[0], event)
		y, saidB := s.after(b, s.twins[1], event)
		require.Equal(t, saidA, saidB, "event %d", event)
		if x.canon(&s.form) != y.canon(&s.form) {
			t.Fatalf("they part at event %d", event)
		}
	}
	s.compared++
}
