//go:build !amd64

package kernel

// Dot is what the processors without assembly run; the host of this test need not be one.
func Dot(a, b []float32) (sum float32) {
	for i := range a {
		sum += a[i] * b[i] // want "product a\[i\] \* b\[i\] meets"
	}
	return sum
}
