package train

import (
	"custody/model/kernel"
	"custody/model/numeric"
)

// rope turns neighbouring pairs of a head by an angle that grows with the position, fastest for the first pair. Turning
// back is the way of the gradients.
type rope struct {
	size           int
	cos, sin, back []float32 // [position][headDim], each value twice; back is -sin
}

func newRope(base float64, headDim, positions int) *rope {
	r := &rope{size: headDim}
	for t := range positions {
		for j := range headDim / 2 {
			sin, cos := numeric.SinCos(float64(float64(t) * frequency(base, headDim, j)))
			s, c := float32(sin), float32(cos)
			r.cos, r.sin, r.back = append(r.cos, c, c), append(r.sin, s, s), append(r.back, -s, -s)
		}
	}
	return r
}

// frequency is the angle of a pair at position 1.
func frequency(base float64, headDim, pair int) float64 {
	return numeric.Pow64(base, -float64(2*pair)/float64(headDim))
}

// turn rotates and scales every head of every row; rows stand at the given positions.
func (r *rope) turn(m *matrix, at []int, scale float32) { r.by(r.sin, m, at, scale) }

// unturn is the way back of turn.
func (r *rope) unturn(m *matrix, at []int, scale float32) { r.by(r.back, m, at, scale) }

func (r *rope) by(sin []float32, m *matrix, at []int, scale float32) {
	for i, t := range at {
		kernel.Rotate(m.row(i), r.cos[t*r.size:(t+1)*r.size], sin[t*r.size:], scale)
	}
}
