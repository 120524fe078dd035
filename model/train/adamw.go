package train

import "custody/model/numeric"

// AdamW: running means of gradients and of their squares, and a decay of the matrices beside them.

const (
	beta1, beta2 = 0.9, 0.98
	tiny         = 1e-8
	decay        = 0.05
	mostNorm     = 1 // gradients as one vector are not longer than this
)

// adam is the optimiser's memory. The powers are those of the betas, to the number of steps.
type adam struct {
	mean, square   []float32
	power1, power2 float64
}

func newAdam(size int) *adam {
	return &adam{mean: make([]float32, size), square: make([]float32, size), power1: 1, power2: 1}
}

// advance counts a step; then every tensor is updated.
func (a *adam) advance() {
	a.power1 = float64(a.power1 * beta1)
	a.power2 = float64(a.power2 * beta2)
}

func (a *adam) update(t tensor, flat, grad []float32, rate float32) {
	weights, g, m, v := t.of(flat), t.of(grad), t.of(a.mean), t.of(a.square)
	whole1, whole2 := float32(1/(1-a.power1)), float32(1/(1-a.power2))
	shrink := rate * decay
	if t.gain() {
		shrink = 0
	}
	for i, d := range g {
		m[i] = float32(beta1*m[i]) + float32((1-beta1)*d)
		v[i] = float32(beta2*v[i]) + float32((1-beta2)*float32(d*d))
		move := float32(m[i]*whole1) / (numeric.Sqrt(float32(v[i]*whole2)) + tiny)
		weights[i] -= float32(rate*move) + float32(shrink*weights[i])
	}
}

// clip shortens the vector of all gradients to mostNorm and returns its length before.
func clip(grad []float32) float64 {
	sum := 0.0
	for _, g := range grad {
		sum += float64(float64(g) * float64(g))
	}
	norm := float64(numeric.Sqrt(float32(sum)))
	if norm > mostNorm {
		scale(grad, float32(mostNorm/norm))
	}
	return norm
}
