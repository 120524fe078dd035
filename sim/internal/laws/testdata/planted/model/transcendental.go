package model

import "math"

func activations(x float64) float64 {
	y := math.Exp(x)              // want "math.Exp: its last bit differs"
	y = max(y, math.Tanh(x))      // want "math.Tanh"
	y = max(y, math.Pow(x, 2))    // want "math.Pow"
	f := math.Log                 // want "math.Log"
	return max(f(y), math.Sin(x)) // want "math.Sin"
}
