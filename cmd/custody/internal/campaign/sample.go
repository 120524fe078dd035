package campaign

import (
	"custody/cmd/custody/internal/source"
	"custody/sim"
	"custody/sim/cover"
	"custody/sim/fleet"
)

// sample is what a campaign runs on the transformer.
type sample struct {
	model *sim.WorkerModel // nil: nothing runs there
	every uint64           // of which seeds: those that it divides
	sum   cover.Summary    // of the seeds that ran on both models
	only  int              // of them, those that broke a promise on the transformer only
}

// sampled is how often a seed runs on the transformer besides: it is a hundred times slower than the hash model.
const sampled = 64

func newSample(model string) (s sample, err error) {
	switch model {
	case source.HashModel:
		return s, nil
	case source.TransformerModel:
		s.every = 1
	default:
		s.every = sampled
	}
	s.model, err = sim.NewTransformer()
	return s, err
}

// take takes in a seed that has run on both models, and tells whether it breaks a promise on the transformer only.
func (s *sample) take(x fleet.Taken) bool {
	s.sum.Add(x.Again, x.SeenAgain)
	only := !x.Again.OK() && x.Result.OK()
	if only {
		s.only++
	}
	return only
}
