//go:build !purego

package kernel

import "golang.org/x/sys/cpu"

// avx2 chooses between two kernels that give the same bits (GODEBUG=cpu.avx2=off for the plain one).
var avx2 = cpu.X86.HasAVX2

// word is the size of a float32 in bytes.
const word = 4

func mul(y []float32, yStride int, x []float32, xStride int, words []float32, in, panels, rows int) {
	if !avx2 {
		mulPlain(y, yStride, x, xStride, words, in, panels, rows)
		return
	}
	groups := rows / 4
	if groups > 0 {
		mulRows4(y, yStride, x, xStride, words, in, panels, groups)
	}
	for r := groups * 4; r < rows; r++ {
		mulRow(y[r*yStride:], x[r*xStride:], words, in, panels)
	}
}

func norm(y, x, w []float32, eps float32) {
	if avx2 {
		normVector(y, x, w, eps)
	} else {
		normPlain(y, x, w, eps)
	}
}

func gate(y, g, u []float32) {
	if avx2 {
		gateVector(y, g, u)
	} else {
		gatePlain(y, g, u)
	}
}

func rotate(x, cos, sin []float32, scale float32) {
	if avx2 {
		rotateHeads(x, cos, sin, scale)
	} else {
		rotatePlain(x, cos, sin, scale)
	}
}

func dot(scores []float32, stride int, q []float32, k [][]uint32, s span, count int) {
	slots := len(k[0]) / s.width
	switch {
	case !avx2:
		dotPlain(scores, stride, q, k, s, count)
	case count == 2:
		dot2(scores, word*stride, q, k, slots, word*s.width, word*s.at, word*s.size, s.n)
	default:
		dot1(scores, word*stride, q, k, slots, word*s.width, word*s.at, word*s.size, s.n)
	}
}

func softmax(scores []float32) float32 {
	if avx2 {
		return softmaxVector(scores)
	}
	return softmaxPlain(scores)
}

func mix(out, weights []float32, stride int, inverse []float32, v [][]uint32, s span, count int) {
	slots := len(v[0]) / s.width
	switch {
	case !avx2:
		mixPlain(out, weights, stride, inverse, v, s, count)
	case count == 2:
		mix2(out, weights, word*stride, inverse, v, slots, word*s.width, word*s.at, word*s.size, s.n)
	default:
		mix1(out, weights, word*stride, inverse, v, slots, word*s.width, word*s.at, word*s.size, s.n)
	}
}
