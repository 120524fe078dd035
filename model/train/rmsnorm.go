package train

import (
	"custody/model/kernel"
	"custody/model/numeric"
)

// RMSNorm: y = g x / sqrt(mean(x²) + eps).

func normForward(y, x *matrix, gain []float32, eps float32) {
	for t := range x.rows {
		kernel.Norm(y.row(t), x.row(t), gain, eps)
	}
}

// normBackward adds to dx and dgain. With r = 1 / sqrt(...), n = x r and e = dy g, dx = r (e - n mean(e n)).
func normBackward(dx, dy, x *matrix, gain, dgain []float32, eps float32) {
	e, n := make([]float32, x.cols), make([]float32, x.cols)
	width := float32(x.cols)
	for t := range x.rows {
		in, back, out := x.row(t), dy.row(t), dx.row(t)
		r := 1 / numeric.Sqrt(dot(in, in)/width+eps)
		for i, v := range in {
			n[i] = float32(v * r)
			e[i] = float32(back[i] * gain[i])
			dgain[i] += float32(back[i] * n[i])
		}
		mean := dot(e, n) / width
		for i := range out {
			out[i] += float32(r * (e[i] - float32(n[i]*mean)))
		}
	}
}
