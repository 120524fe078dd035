package sim

import (
	"slices"

	"custody/invariants"
	"custody/traces"
)

// Shrink returns the smallest script found that breaks the same promise in the same way as the i-th breach of the result.
func Shrink(s *traces.Script, r *Result, i int, o traces.ShrinkOptions) traces.ShrinkResult {
	return traces.Shrink(s, r.Identity(&r.Breaches[i]), Executor(r.world.model, r.world.promises), o)
}

// Executor runs scripts for the shrinker. Scripts that follow one another mostly have one header, so the world of the
// last one is used again where it fits.
func Executor(m *Model, promises []invariants.Promise) traces.Executor {
	var w *world
	return func(s *traces.Script) traces.Outcome {
		c := newSetup(s, m)
		if w != nil && w.setup.same(c) {
			w.reset()
		} else {
			w = newWorld(c, worldOptions{promises: promises})
		}
		return w.run(s).Outcome()
	}
}

// same tells whether two headers make the same world.
func (c *setup) same(o *setup) bool {
	return c.engine == o.engine && c.worker == o.worker &&
		slices.Equal(c.tenants, o.tenants) && slices.Equal(c.quotas, o.quotas)
}
