package train

import "custody/model/kernel"

// Sums along a row have the order of package kernel: eight lanes, then pairs.

const lanes = 8

type lane [lanes]float32

func (l *lane) sum() float32 {
	return ((l[0] + l[1]) + (l[2] + l[3])) + ((l[4] + l[5]) + (l[6] + l[7]))
}

// dot is the sum of x[i] y[i]; the length is a multiple of 8.
func dot(x, y []float32) float32 {
	var l lane
	for len(x) >= lanes {
		a, b := (*lane)(x), (*lane)(y)
		for i := range l {
			l[i] += float32(a[i] * b[i])
		}
		x, y = x[lanes:], y[lanes:]
	}
	return l.sum()
}

// masked is a score that has no weight.
const masked = -1e30

// softmax turns scores into weights that add up to 1. The length is a multiple of 8.
func softmax(row []float32) {
	inverse := 1 / kernel.Softmax(row)
	for i := range row {
		row[i] = float32(row[i] * inverse)
	}
}

// softmaxBackward turns the gradient of the weights into that of the scores, in place.
func softmaxBackward(grad, weights []float32) {
	mean := dot(grad, weights)
	for i, w := range weights {
		grad[i] = float32(w * (grad[i] - mean))
	}
}
