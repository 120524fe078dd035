package llama

import "custody/model/numeric"

// rotary is the table of the rotary positions (Su et al., 2021): pair i of a head at position p is turned by the angle
// p · base^(-2i/size). Angles, sines and cosines are computed in float64 and rounded to float32 once.
type rotary struct {
	size     int       // of a head
	speeds   []float64 // of its pairs, in radians a position
	cos, sin []float32 // [position][size], each number twice
}

func newRotary(a Arch) rotary {
	r := rotary{size: a.HeadDim}
	for i := 0; i < r.size; i += 2 {
		r.speeds = append(r.speeds, numeric.Pow64(a.RopeBase, -float64(i)/float64(r.size)))
	}
	return r
}

// reserve makes the table reach n positions.
func (r *rotary) reserve(n int) {
	for pos := len(r.cos) / r.size; pos < n; pos++ {
		for _, speed := range r.speeds {
			s, c := numeric.SinCos(float64(float64(pos) * speed))
			r.cos = append(r.cos, float32(c), float32(c))
			r.sin = append(r.sin, float32(s), float32(s))
		}
	}
}

// at is the table's row of a position.
func (r *rotary) at(pos int32) (cos, sin []float32) {
	from := int(pos) * r.size
	return r.cos[from:][:r.size], r.sin[from:][:r.size]
}
