package train

import (
	"fmt"
	"math"

	"custody/model/numeric"
)

// Recipe decides a training to the last bit. How many threads carry it out is no part of it.
type Recipe struct {
	Seed       uint64
	Steps      int
	Rate       float64 // the highest
	Warmup     int     // steps to reach it
	Curriculum int     // steps until the samples are as hard as they get
}

// Accepted is the recipe of the weights that are shipped.
var Accepted = Recipe{Seed: 1, Steps: 6000, Rate: 2e-3, Warmup: 100, Curriculum: 1500}

// mostSteps bounds a recipe: a month of two cores.
const mostSteps = 100_000_000

// Validate names the first field that no training can have.
func (r *Recipe) Validate() error {
	switch {
	case r.Steps < 1 || r.Steps > mostSteps:
		return fmt.Errorf("train: Steps is %d, expected 1 to %d", r.Steps, mostSteps)
	case r.Warmup < 0 || r.Warmup >= r.Steps:
		return fmt.Errorf("train: Warmup is %d, expected 0 to %d, less than the steps", r.Warmup, r.Steps-1)
	case r.Curriculum < 1:
		return fmt.Errorf("train: Curriculum is %d, expected at least 1", r.Curriculum)
	case !(r.Rate > 0 && r.Rate < 1):
		return fmt.Errorf("train: Rate is %v, expected a number between 0 and 1", r.Rate)
	}
	return nil
}

// batch is the number of samples in a step. They go to two shards, even and odd: the order in which gradients are added
// depends on the shards and never on the threads.
const (
	batch  = 16
	shards = 2
)

// lastRate is where the rate ends, as a share of the highest.
const lastRate = 0.02

// rate rises to its highest in a line and falls along half a cosine.
func (r *Recipe) rate(step int) float32 {
	if step < r.Warmup {
		return float32(r.Rate * float64(step+1) / float64(r.Warmup))
	}
	past := float64(step-r.Warmup) / float64(r.Steps-r.Warmup)
	_, cos := numeric.SinCos(float64(math.Pi * past))
	share := lastRate + float64((1-lastRate)*float64(0.5*(1+cos)))
	return float32(r.Rate * share)
}

// progress through the curriculum, 0 to 1.
func (r *Recipe) progress(step int) float64 {
	return min(1, float64(step)/float64(r.Curriculum))
}
