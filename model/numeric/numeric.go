// Package numeric holds the functions of analysis that the model needs. The standard library's differ in the last bit
// between processors, and between runs of one binary on one processor; these are made of sums, differences, quotients
// and roots, each rounded once, and of products that an explicit conversion rounds before anything is added to them.
// So they give the same bits everywhere. Accuracy is stated with each function and tested against math/big.
package numeric

import "math"

// Sqrt is the square root, correctly rounded: a float64 root that is rounded again to float32 is that of float32.
func Sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }

// ln2 in two parts. The first has 32 significant bits, so that its product with a small whole number is exact.
const (
	ln2High = 0x1.62e42fep-1
	ln2Low  = math.Ln2 - ln2High
)
