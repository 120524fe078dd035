package sim

import (
	"custody/cache"
	"custody/invariants"
	"custody/model"
	"custody/model/worker"
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
	runner    worker.Config
	ledger    invariants.Config
}

// newSetup reads a script's header for a model. The tenants are those of its tenant lines, or those that its events name.
func newSetup(s *traces.Script, m *Model) *setup {
	c := &setup{engine: s.Config, worker: s.Config, model: m}
	c.setWorker(s)
	c.nameTenants(s)
	m.reshape(&c.engine)
	m.reshape(&c.worker)
	c.handshake()
	c.scheduler = c.forScheduler()
	layout := c.layout()
	c.cache = c.forCache(layout)
	c.runner = c.forRunner(layout)
	c.ledger = c.forLedger(layout)
	return c
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
		if e := &s.Events[i]; e.Verb == traces.Submit && e.Tenant != unknownTenant && c.tenant(e.Tenant) < 0 {
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
