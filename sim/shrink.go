package sim

import (
	"slices"

	"custody/invariants"
	"custody/traces"
	"custody/traces/shrink"
)

// Shrink returns the smallest script found that breaks the same promise in the same way as the i-th breach of the result.
func Shrink(s *traces.Script, r *Result, i int, o shrink.Options) shrink.Minimal {
	return shrink.Run(s, r.Identity(&r.Breaches[i]), Executor(r.world.options()), o)
}

// options are those of an execution like the world's own, with nobody else watching.
func (w *World) options() ExecuteOptions {
	p := w.cfg.parts
	return ExecuteOptions{Engine: p.engine, Worker: p.worker, Model: w.cfg.model, Promises: w.account.promises}
}

// Confirm runs a script on the options' model and tells whether it breaks the promise there, too. What hunting finds on
// the hash model may hang on a token that only that model samples.
func Confirm(s *traces.Script, promise string, o ExecuteOptions) bool {
	r, err := Execute(s, o)
	return err == nil && slices.ContainsFunc(r.Breaches, func(b invariants.Breach) bool { return r.PromiseName(&b) == promise })
}

// Executor runs scripts for the shrinker. Scripts that follow one another mostly have one header, so the world of the
// last one is used again where it fits. A script that cannot be run breaks nothing.
func Executor(o ExecuteOptions) shrink.Executor {
	var w *World
	return func(s *traces.Script) shrink.Outcome {
		c := newSetup(s, &o)
		if w != nil && w.cfg.same(c) {
			w.Reset()
		} else {
			next, err := newWorld(c, &o)
			if err != nil {
				return shrink.Outcome{}
			}
			w = next
		}
		w.cursor.load(s)
		return w.Run().Outcome()
	}
}

// same tells whether two headers make the same world.
func (c *setup) same(o *setup) bool {
	return c.engine == o.engine && c.worker == o.worker &&
		c.asked.Name == o.asked.Name && slices.Equal(c.asked.Settings, o.asked.Settings) &&
		slices.Equal(c.tenants, o.tenants) && slices.Equal(c.quotas, o.quotas) && slices.EqualFunc(c.markers, o.markers, slices.Equal)
}
