package shrink

import (
	"slices"

	"custody/traces"
)

// defaultConfiguration moves the header toward the default: all of it, then every value alone. What must differ is
// made small. The engine keeps its name: another one is another system under test.
func defaultConfiguration(sh *shrinker) {
	sh.attempt(func(c *traces.Script) { c.Config, c.Workers, c.Tenants = traces.DefaultConfig(), nil, nil })
	sh.attempt(func(c *traces.Script) { c.Config = traces.DefaultConfig() })
	for i := len(sh.best.Engine.Settings) - 1; i >= 0; i-- {
		sh.attempt(func(c *traces.Script) {
			c.Engine.Settings = slices.Concat(c.Engine.Settings[:i], c.Engine.Settings[i+1:])
		})
	}
	for i := range sh.best.Tenants {
		if sh.best.Tenants[i].Marker != nil {
			sh.attempt(func(c *traces.Script) { c.Tenants[i].Marker = nil })
		}
	}
	for _, p := range slices.Backward(headerParams(sh.best)) {
		if !sh.attempt(p.unset) {
			lower(sh, []param{p})
		}
	}
}

// unset makes a value of the header need no word.
func (p param) unset(c *traces.Script) {
	switch p.of {
	case configParam:
		c.Config[p.arg] = traces.Keys[p.arg].Default
	case workerParam:
		w := &c.Workers[p.index]
		w.Has[p.arg], w.Value[p.arg] = false, 0
	case quotaParam:
		c.Tenants[p.index].Quota = 0
	}
}
