package sim

import (
	"custody/invariants"
	"custody/traces"
)

// Shrink returns the smallest script found that breaks the same promise in the same way as the i-th breach of the result.
func Shrink(s *traces.Script, r *Result, i int, o traces.ShrinkOptions) traces.ShrinkResult {
	return traces.Shrink(s, r.Identity(&r.Breaches[i]), Executor(r.world.promises), o)
}

// Executor runs scripts for the shrinker.
func Executor(promises []invariants.Promise) traces.Executor {
	return func(s *traces.Script) traces.Outcome {
		out := Execute(s, ExecuteOptions{Promises: promises}).Outcome()
		return out
	}
}
