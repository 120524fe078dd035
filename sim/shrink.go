package sim

import (
	"slices"

	"custody/invariants"
	"custody/traces"
	"custody/traces/shrink"
)

// Shrink returns the smallest script found that breaks the same promise in the same way as the i-th breach of the result.
func Shrink(s *traces.Script, r *Result, i int, o shrink.Options) shrink.Result {
	return shrink.Run(s, r.Identity(&r.Breaches[i]), Executor(r.world.model, r.world.promises), o)
}

// Confirm runs a script on a model and tells whether it breaks the promise there, too. What hunting finds on the hash model
// may hang on a token that only that model samples.
func Confirm(s *traces.Script, promise string, m *Model, promises []invariants.Promise) bool {
	r := Execute(s, ExecuteOptions{Model: m, Promises: promises})
	return slices.ContainsFunc(r.Breaches, func(b invariants.Breach) bool { return r.PromiseName(&b) == promise })
}

// Executor runs scripts for the shrinker. Scripts that follow one another mostly have one header, so the world of the
// last one is used again where it fits.
func Executor(m *Model, promises []invariants.Promise) shrink.Executor {
	var w *world
	return func(s *traces.Script) shrink.Outcome {
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
		slices.Equal(c.tenants, o.tenants) && slices.Equal(c.quotas, o.quotas) && slices.EqualFunc(c.markers, o.markers, slices.Equal)
}
