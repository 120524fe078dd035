package sim

import (
	"custody/cache"
	"custody/invariants"
	"custody/model"
	"custody/scheduler/protocol"
	"custody/traces"
)

// setup is a script's header, turned into what the parts are made with.
type setup struct {
	parts    parts
	model    *WorkerModel
	engine   traces.Config
	worker   traces.Config
	tenants  []string
	quotas   []int32
	asked    traces.Engine // the engine that the script is for, and its settings
	markers  [][]cache.Token
	layouts  [3]model.LayoutFields // of the engine, the worker and the worker's model
	mismatch model.Field           // the first in which they differ
	refused  bool                  // the handshake failed
	layout   cache.Layout          // of the KV memory
	layoutID uint32                // digest of the engine's layout fields
}

// newSetup reads a script's header. The tenants are those of its tenant lines, or those that its events name.
func newSetup(s *traces.Script, o *ExecuteOptions) *setup {
	c := &setup{engine: s.Config, worker: s.Config, model: o.Model, parts: o.parts(), asked: s.Engine}
	c.setWorker(s)
	c.nameTenants(s)
	c.model.reshape(&c.engine)
	c.model.reshape(&c.worker)
	c.handshake()
	c.layout, c.layoutID = c.memory(), c.layouts[0].ID()
	return c
}

// memory is the layout of the KV memory.
func (c *setup) memory() cache.Layout {
	shape := c.model.shape()
	return cache.Layout{
		Blocks: c.i32(traces.Blocks), Layers: int32(shape.layers), BlockTokens: c.i32(traces.Block),
		TokenWords: int32(shape.heads * shape.headDim),
	}
}

func (c *setup) i32(k traces.Key) int32 { return int32(c.engine[k]) }

// forLedger is what the ledger watches over: the limits that clients were told, and what the engine claims.
func (c *setup) forLedger(n *Node) invariants.Config {
	claims := &n.Claims
	return invariants.Config{
		Shape: invariants.Shape{
			Blocks: c.layout.Blocks, BlockTokens: c.layout.BlockTokens, Layers: c.layout.Layers, Slots: claims.Slots,
			Rows: int32(c.worker[traces.Rows]),
		},
		Bounds: invariants.Bounds{
			MaxLen: c.i32(traces.MaxLen), MaxQueue: c.i32(traces.Queue), Vocab: c.i32(traces.Vocab), Budget: c.i32(traces.Budget),
			MaxRows: c.i32(traces.Rows), Quotas: c.quotas,
		},
		Claims: invariants.Claims{
			Prefix: c.engine[traces.Cache] == 1, Order: invariants.FirstCome + invariants.QueueOrder(c.engine[traces.Policy]),
			TwoQueues: claims.Queues > 1, LiveTable: claims.Live&protocol.LiveTable != 0, Hides: n.hides(),
			NullBlocks: claims.NullBlocks,
		},
		Parties: invariants.Parties{
			Layouts: [][]int64{c.layouts[0][:], c.layouts[1][:], c.layouts[2][:]}, Stricter: c.stricter(), NoWorker: c.refused,
			Markers: c.markers, Alone: c.model.alone(c),
		},
	}
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

// setWorker takes over what the worker has set otherwise.
func (c *setup) setWorker(s *traces.Script) {
	if len(s.Workers) == 0 {
		return
	}
	for k, has := range s.Workers[0].Has {
		if has && traces.Keys[k].Worker {
			c.worker[k] = s.Workers[0].Value[k]
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
		if e := &s.Events[i]; e.Verb == traces.Submit && e.Tenant != UnknownTenant && c.tenant(e.Tenant) < 0 {
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

func (c *setup) tenant(name string) int32 {
	for i, t := range c.tenants {
		if t == name {
			return int32(i)
		}
	}
	return -1
}
