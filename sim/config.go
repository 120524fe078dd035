package sim

import (
	"fmt"

	"custody/cache"
	"custody/invariants"
	"custody/model"
	"custody/scheduler"
	"custody/traces"
)

// setup is a script's header, turned into the parts' own configurations.
type setup struct {
	model     *Model
	engine    traces.Config
	worker    traces.Config
	tenants   []string
	quotas    []int32
	markers   [][]cache.Token
	layouts   [3]model.Layout // of the engine, the worker and the worker's model
	mismatch  model.Field     // the first in which they differ
	refused   bool            // the handshake failed
	cache     cache.Config
	scheduler scheduler.Config
	runner    model.Config
	ledger    invariants.Config
}

// newSetup reads a script's header for a model. The tenants are those of its tenant lines, or those that its events name.
func newSetup(s *traces.Script, m *Model) *setup {
	c := &setup{engine: s.Config, worker: s.Config, model: m}
	if len(s.Workers) > 0 {
		for k, has := range s.Workers[0].Has {
			if has && traces.Keys[k].Worker {
				c.worker[k] = s.Workers[0].Value[k]
			}
		}
	}
	c.nameTenants(s)
	m.reshape(&c.engine)
	m.reshape(&c.worker)
	c.handshake()
	shape := m.shape()
	layout := cache.Layout{
		Blocks: c.i32(traces.Blocks), Layers: int32(shape.layers), BlockTokens: c.i32(traces.Block),
		TokenWords: int32(shape.heads * shape.headDim),
	}
	c.scheduler = scheduler.Config{
		MaxRows: c.i32(traces.Rows), Budget: c.i32(traces.Budget), Chunk: c.i32(traces.Chunk), MaxLen: c.i32(traces.MaxLen),
		MaxQueue: c.i32(traces.Queue), Requeues: c.i32(traces.Requeues), Depth: c.i32(traces.Depth), Vocab: c.i32(traces.Vocab),
		Policy: scheduler.Policy(c.engine[traces.Policy]), Publish: scheduler.PublishPolicy(c.engine[traces.Publish]),
		Overlap: c.engine[traces.Overlap] == 1, Reserve: c.engine[traces.Reserve] == 1, TailCopy: c.engine[traces.Copy] > 0,
		NoWorker: c.refused, Quotas: c.quotas,
	}
	c.cache = cache.Config{
		Layout: layout, Reqs: c.scheduler.Slots(), MaxLen: c.i32(traces.MaxLen), Prefix: c.engine[traces.Cache] == 1,
		KeyBits: int(c.engine[traces.KeyBits]), Order: cache.FreeOrder(c.engine[traces.Free]),
		Seed: uint64(c.engine[traces.Seed]), Release: c.release(),
	}
	c.runner = model.Config{
		Limits: model.Limits{
			Rows: int32(c.worker[traces.Rows]), Budget: int32(c.worker[traces.Budget]), MaxLen: int32(c.worker[traces.MaxLen]),
		},
		Layout: layout, LayoutID: c.layouts[1].ID(),
	}
	c.ledger = invariants.Config{
		Blocks: layout.Blocks, BlockTokens: layout.BlockTokens, Layers: layout.Layers, Slots: c.scheduler.Slots(),
		Rows: c.runner.Rows, MaxLen: c.scheduler.MaxLen, MaxQueue: c.scheduler.MaxQueue, Vocab: c.scheduler.Vocab,
		Budget: c.scheduler.Budget, MaxRows: c.scheduler.MaxRows, Prefix: c.cache.Prefix, Policy: invariants.FirstCome + invariants.Policy(c.scheduler.Policy),
		Stricter: c.stricter(), Quotas: c.quotas, Markers: c.markers, TwoQueues: c.scheduler.TailCopy, NoWorker: c.refused,
		Layouts: [][]int64{c.layouts[0][:], c.layouts[1][:], c.layouts[2][:]},
	}
	return c
}

func (c *setup) i32(k traces.Key) int32 { return int32(c.engine[k]) }

// release is the release policy. With a second queue, blocks cannot return before their operations have settled: the
// order of the passes says nothing about a copy (vLLM defers frees in the same case).
func (c *setup) release() cache.ReleasePolicy {
	if c.engine[traces.Copy] > 0 {
		return cache.ReleaseSettled
	}
	return cache.ReleasePolicy(c.engine[traces.Release])
}

// stricter tells whether a limit of the worker is below the engine's.
func (c *setup) stricter() bool {
	for k := range traces.NumKeys {
		if spec := &traces.Keys[k]; spec.Worker && !spec.Layout && c.worker[k] < c.engine[k] {
			return true
		}
	}
	return false
}

// layoutKeys are the configuration keys of the layout fields.
var layoutKeys = [model.NumFields]traces.Key{
	model.BlockTokens: traces.Block, model.Layers: traces.Layers, model.Heads: traces.Heads, model.HeadDim: traces.HeadDim,
	model.RopeBase: traces.Rope, model.Precision: traces.Dtype, model.Vocab: traces.Vocab,
}

func layoutOf(c *traces.Config) (l model.Layout) {
	for f, k := range layoutKeys {
		l[f] = c[k]
	}
	return l
}

// handshake lets the engine, the worker and its model compare their layouts. A pair that differs never runs.
func (c *setup) handshake() {
	fixed := c.engine // the model has one shape, and its worker can agree to no other
	shape := c.model.shape()
	fixed[traces.Layers], fixed[traces.Heads], fixed[traces.HeadDim] = shape.layers, shape.heads, shape.headDim
	for i, config := range []*traces.Config{&c.engine, &c.worker, &fixed} {
		c.layouts[i] = layoutOf(config)
	}
	for i := range c.layouts[1:] {
		if f, ok := model.Handshake(&c.layouts[0], &c.layouts[i+1]); !ok {
			c.mismatch, c.refused = f, true
			return
		}
	}
}

func (c *setup) nameTenants(s *traces.Script) {
	for i := range s.Tenants {
		c.tenants = append(c.tenants, s.Tenants[i].Name)
		quota := s.Tenants[i].Quota
		if quota == 0 {
			quota = s.Config[traces.Quota]
		}
		c.quotas = append(c.quotas, int32(quota))
		c.markers = append(c.markers, tokensOf(s.Tenants[i].Marker))
	}
	if len(s.Tenants) > 0 {
		return
	}
	for i := range s.Events {
		if e := &s.Events[i]; e.Kind == traces.Submit && e.Tenant != unknownTenant && c.tenant(e.Tenant) < 0 {
			c.tenants = append(c.tenants, e.Tenant)
			c.quotas = append(c.quotas, int32(s.Config[traces.Quota]))
		}
	}
}

func tokensOf(numbers []int32) []cache.Token {
	var tokens []cache.Token
	for _, n := range numbers {
		tokens = append(tokens, cache.Token(n))
	}
	return tokens
}

// unknownTenant is the script's word for a tenant that the engine does not know.
const unknownTenant = "?"

func (c *setup) tenant(name string) int32 {
	for i, t := range c.tenants {
		if t == name {
			return int32(i)
		}
	}
	return -1
}

// handshakeText says why the worker was refused.
func (c *setup) handshakeText() string {
	f := c.mismatch
	name, engine, worker, own := traces.Keys[layoutKeys[f]].Name, c.layouts[0][f], c.layouts[1][f], c.layouts[2][f]
	if worker == engine {
		return fmt.Sprintf("handshake: the worker is refused: %s is %d, the model's is %d", name, worker, own)
	}
	return fmt.Sprintf("handshake: the worker is refused: %s is %d, the engine's is %d", name, worker, engine)
}

// maxWords bounds what one world may hold: words of KV memory, and tokens of requests.
const maxWords = 1 << 24

// Runnable says why a script that can be read cannot be executed as it stands, or nil. Execute takes it all the same, and
// leaves out what it cannot do.
func Runnable(file string, s *traces.Script) error {
	if words := s.Config[traces.Blocks] * s.Config[traces.Block] * 4; words > maxWords {
		return fmt.Errorf("%s: config: blocks=%d block=%d need %d words of KV memory, at the most %d can be simulated",
			file, s.Config[traces.Blocks], s.Config[traces.Block], words, maxWords)
	}
	c := newSetup(s, nil)
	if tokens := int64(c.scheduler.Slots()) * s.Config[traces.MaxLen]; tokens > maxWords {
		return fmt.Errorf("%s: config: %d requests of max_len=%d need room for %d tokens, at the most %d can be simulated",
			file, c.scheduler.Slots(), s.Config[traces.MaxLen], tokens, maxWords)
	}
	if len(s.Workers) > 1 {
		return fmt.Errorf("%s: worker %s: one worker can be simulated, and %s is declared already", file, s.Workers[1].Name, s.Workers[0].Name)
	}
	return nil
}
