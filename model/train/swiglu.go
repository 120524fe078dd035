package train

import "custody/model/numeric"

// SwiGLU: hidden = silu(gate) up, with silu(x) = x s(x) and s(x) = 1 / (1 + exp(-x)).

// swigluBackward turns gate and up into their gradients, in place.
func swigluBackward(dhidden, gate, up []float32) {
	for i, d := range dhidden {
		g, u := gate[i], up[i]
		s := 1 / (1 + numeric.Exp(-g))
		silu := float32(g * s)
		up[i] = float32(d * silu)
		gate[i] = float32(float32(d*u) * (s + float32(silu*(1-s))))
	}
}
