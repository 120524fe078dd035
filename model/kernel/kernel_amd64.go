//go:build !purego

package kernel

import (
	"golang.org/x/sys/cpu"

	"custody/cache"
)

// What the processor has chooses between kernels that give the same bits (GODEBUG=cpu.avx512f=off,cpu.avx2=off for the
// plain ones).
var (
	avx2   = cpu.X86.HasAVX2
	avx512 = avx2 && cpu.X86.HasAVX512F
)

// word is the size of a float32 in bytes.
const word = 4

func mul(y []float32, yStride int, x []float32, xStride int, words []float32, in, panels, rows int) {
	if !avx2 {
		mulPlain(y, yStride, x, xStride, words, in, panels, rows)
		return
	}
	done := 0
	if groups := rows / 8; avx512 && groups > 0 {
		mulRows8(y, yStride, x, xStride, words, in, panels, groups)
		done = 8 * groups
	}
	if groups := (rows - done) / 4; groups > 0 {
		mulRows4(y[done*yStride:], yStride, x[done*xStride:], xStride, words, in, panels, groups)
		done += 4 * groups
	}
	for ; done < rows; done++ {
		mulRow(y[done*yStride:], x[done*xStride:], words, in, panels)
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

func sumOf(v *cache.View, layer, n int) Sum {
	if !avx2 {
		return sumPlain(v, layer, n)
	}
	words, table, stride, slots := v.Raw(layer)
	return Sum{
		Total: sumVector(words, (*int32)(&table[0]), word*stride, word*slots, n),
		k:     kFirst + uint32(n)*kStep,
		v:     vFirst + uint32(n)*vStep,
	}
}
