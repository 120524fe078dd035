//go:build !amd64 || purego

package kernel

import "custody/cache"

func mul(y []float32, yStride int, x []float32, xStride int, words []float32, in, panels, rows int) {
	mulPlain(y, yStride, x, xStride, words, in, panels, rows)
}

func norm(y, x, w []float32, eps float32) { normPlain(y, x, w, eps) }

func gate(y, g, u []float32) { gatePlain(y, g, u) }

func rotate(x, cos, sin []float32, scale float32) { rotatePlain(x, cos, sin, scale) }

func dot(scores []float32, stride int, q []float32, k [][]uint32, s span, count int) {
	dotPlain(scores, stride, q, k, s, count)
}

func softmax(scores []float32) float32 { return softmaxPlain(scores) }

func mix(out, weights []float32, stride int, inverse []float32, v [][]uint32, s span, count int) {
	mixPlain(out, weights, stride, inverse, v, s, count)
}

func sumOf(v *cache.View, layer, n int) Sum { return sumPlain(v, layer, n) }
