//go:build !purego

package kernel

import "testing"

// The tests run with what the processor has. Here what it has is taken from it, so that each kernel is compared.
func TestLesserProcessorsHaveTheBitsOfThePlainKernels(t *testing.T) {
	has2, has512 := avx2, avx512
	defer func() { avx2, avx512 = has2, has512 }()
	avx512 = false
	t.Run("products without AVX-512", TestProductsHaveTheBitsOfThePlainOnes)
	t.Run("attention without AVX-512", TestAttentionHasTheBitsOfThePlainOne)
	avx2 = false
	t.Run("products without AVX2", TestProductsHaveTheBitsOfThePlainOnes)
	t.Run("vectors without AVX2", TestVectorsHaveTheBitsOfThePlainOnes)
	t.Run("attention without AVX2", TestAttentionHasTheBitsOfThePlainOne)
	t.Run("sums without AVX2", TestSumsAreThoseOfTheDefinition)
}
