// Package kernel computes what takes the time in a transformer: products with a packed matrix, attention over paged
// KV memory, normalisation, the gate and the rotation. And the hash model's sum over paged KV memory.
//
// Each operation is written twice: in plain Go, which defines the result to the bit, and in assembly for amd64 with
// AVX2, some also for AVX-512 (files made by _gen), which must give the same bits. The build tag purego leaves the
// assembly out.
//
// # One order of reduction
//
// Floating point addition is not associative, so every sum has one order, whatever runs it:
//
//   - a product with a matrix, and the weighted sum of V: one accumulator an output, input index ascending;
//   - a sum along a vector (a dot product with K, a sum of squares, the denominator of the softmax): eight lanes, element
//     i in lane i mod 8, ascending, and then the tree of eight.
//
// Every product is rounded before it is added. A result does not depend on how many rows are computed together.
// Inputs are finite numbers: the bits of a NaN are not the same on all processors.
package kernel

// lanes is the width of a sum along a vector. Head sizes and vector lengths are multiples of it.
const lanes = 8

// tree adds the lanes pairwise: ((0+1)+(2+3)) + ((4+5)+(6+7)).
func tree(s *[lanes]float32) float32 {
	return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]))
}

// roundUp is the smallest multiple of unit that is at least n.
func roundUp(n, unit int) int { return (n + unit - 1) / unit * unit }
