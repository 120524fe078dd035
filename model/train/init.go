package train

import (
	"math/rand/v2"

	"custody/model/numeric"
)

const (
	embedSpread = 0.3 // of the embeddings
	beacon      = 0.6 // dimension 0 of every embedding: something that heads can count on
	lookBack    = 2.5 // how sharply the seeded heads look; 2.5² x 0.6² x Σcos is the score at the peak
)

// initial draws the weights: normal, as wide as the inputs are few, the branches' outputs less the more there are; gains
// are 1. The first layer's heads start as heads that look 1, 2, 3, ... characters back. Copying needs to know what
// stands before a place; without this seed that takes ten times as long to form.
func initial(p *plan, rng *rand.Rand) []float32 {
	flat := make([]float32, p.size)
	branch := 1 / numeric.Sqrt(float32(2*p.Layers))
	for _, t := range p.all {
		spread := 1 / numeric.Sqrt(float32(t.cols))
		if t == p.embed {
			spread = embedSpread
		}
		fill(t, flat, spread, rng)
	}
	for _, b := range p.blocks {
		for _, t := range []tensor{b.o, b.down} {
			scale(t.of(flat), branch)
		}
	}
	p.seedHeads(flat)
	return flat
}

func fill(t tensor, flat []float32, spread float32, rng *rand.Rand) {
	out := t.of(flat)
	for i := range out {
		out[i] = 1
		if !t.gain() {
			out[i] = float32(spread * normal(rng))
		}
	}
}

// normal is nearly normal: the sum of twelve uniform whole numbers, which is exact everywhere.
func normal(rng *rand.Rand) float32 {
	const steps = 1 << 20
	sum := -6 * steps
	for range 12 {
		sum += rng.IntN(steps)
	}
	return float32(sum) / steps
}

func scale(x []float32, by float32) {
	for i := range x {
		x[i] = float32(x[i] * by)
	}
}

// seedHeads lets the beacon alone decide where the first layer's heads look: keys are (1,0) in every pair, queries the
// same turned back by h positions, so that the score Σ cos(angle (distance - h)) peaks at distance h.
func (p *plan) seedHeads(flat []float32) {
	embed, first := p.embed.matrix(flat), &p.blocks[0]
	for t := range p.Vocab {
		embed.row(t)[0] = beacon
	}
	q, k := first.q.matrix(flat), first.k.matrix(flat)
	for row := range q.rows {
		h := row/p.HeadDim + 1
		sin, cos := numeric.SinCos(float64(-float64(h) * frequency(p.RopeBase, p.HeadDim, row%p.HeadDim/2)))
		q.row(row)[0] = float32(lookBack * pick(row, cos, sin))
	}
	for row := range k.rows {
		k.row(row)[0] = float32(pick(row, lookBack, 0))
	}
}

// pick takes the first of a pair for even rows, the second for odd ones.
func pick(row int, even, odd float64) float64 {
	if row%2 == 0 {
		return even
	}
	return odd
}
