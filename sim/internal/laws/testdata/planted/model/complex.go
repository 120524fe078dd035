package model

import "math/cmplx" // want "import of math/cmplx"

func rotate(x, y float64) float64 {
	z := complex(x, y)                                  // want "complex"
	var w complex64 = complex64(z)                      // want "complex64" "complex64"
	return real(z) + float64(real(w)) + cmplx.Abs(z*2i) // want "imaginary number 2i"
}
