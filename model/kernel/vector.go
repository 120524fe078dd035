package kernel

import "custody/model/numeric"

// Norm is the root mean square normalisation: y[i] = (x[i] / sqrt(mean of squares + eps)) w[i], where the root's inverse
// is rounded and then multiplied. Lengths are one multiple of 8.
func Norm(y, x, w []float32, eps float32) {
	norm(y[:len(x)], x, w[:len(x)], eps)
}

func normPlain(y, x, w []float32, eps float32) {
	var s [lanes]float32
	for i := 0; i < len(x); i += lanes {
		for l, v := range x[i:][:lanes] {
			s[l] += float32(v * v)
		}
	}
	inverse := 1 / numeric.Sqrt(tree(&s)/float32(len(x))+eps)
	for i, v := range x {
		y[i] = float32(float32(v*inverse) * w[i])
	}
}

// Gate is the SwiGLU: y[i] = (g[i] / (1 + e^-g[i])) u[i]. Lengths are one multiple of 8.
func Gate(y, g, u []float32) { gate(y[:len(g)], g, u[:len(g)]) }

func gatePlain(y, g, u []float32) {
	for i, v := range g {
		y[i] = float32(v / (1 + numeric.Exp(-v)) * u[i])
	}
}

// Add is x[i] += y[i].
func Add(x, y []float32) {
	y = y[:len(x)]
	for i := range x {
		x[i] += y[i]
	}
}

// Rotate turns the pairs (x[0],x[1]), (x[2],x[3]), ... of each head in x by the angles of one position, and multiplies
// by the scale. cos and sin have a head's size, a multiple of 8, and hold each angle's value twice.
func Rotate(x, cos, sin []float32, scale float32) {
	rotate(x, cos, sin[:len(cos)], scale)
}

func rotatePlain(x, cos, sin []float32, scale float32) {
	for ; len(x) > 0; x = x[len(cos):] {
		for i := 0; i < len(cos); i += 2 {
			a, b := x[i], x[i+1]
			x[i] = float32((float32(a*cos[i]) - float32(b*sin[i])) * scale)
			x[i+1] = float32((float32(b*cos[i+1]) + float32(a*sin[i+1])) * scale)
		}
	}
}

// Softmax turns scores, a multiple of 8 of them, into exponentials of their distance to the largest, and returns their
// sum: divided by it they are weights.
func Softmax(scores []float32) float32 { return softmax(scores) }
