package numeric

import "math"

// Bounds of the argument of Exp. Below the lower one the result is 0, above the upper one that of the upper one.
const (
	ExpMin = -87
	ExpMax = 88
)

// Constants of Exp, which kernels in assembly share.
const (
	ExpLog2E   float32 = math.Log2E
	ExpRound   float32 = 3 << 22     // added and taken away again, it leaves the nearest whole number
	ExpLn2High float32 = 0x1.62e4p-1 // 15 bits: its product with a whole number below 512 is exact
	ExpLn2Low  float32 = math.Ln2 - 0x1.62e4p-1
)

// ExpTerms are the coefficients of the Taylor series, from r^7 down to r^2.
var ExpTerms = [...]float32{1. / 5040, 1. / 720, 1. / 120, 1. / 24, 1. / 6, 1. / 2}

// Exp is e to the x in float32, at most 1.1 ulp from the truth for x in [ExpMin, ExpMax].
//
//	x = n ln 2 + r, n whole, |r| <= ln 2 / 2;  e^x = 2^n (1 + r + r² (1/2 + r/6 + ...))
func Exp(x float32) float32 {
	if !(x >= ExpMin) {
		return 0
	}
	x = min(x, ExpMax)
	shifted := float32(x*ExpLog2E) + ExpRound
	n := shifted - ExpRound
	r := x - float32(n*ExpLn2High)
	r -= float32(n * ExpLn2Low)
	p := ExpTerms[0]
	for _, c := range ExpTerms[1:] {
		p = float32(p*r) + c
	}
	p = float32(float32(p*r)*r) + r
	p++
	power := math.Float32bits(shifted)<<23 + 127<<23 // 2^n: the low bits of the shifted number are those of n
	return float32(p * math.Float32frombits(power))
}

// Exp64 is e to the x in float64, at most 1 ulp from the truth where the result is a normal number.
func Exp64(x float64) float64 {
	n := math.Floor(float64(x*math.Log2E) + 0.5)
	r := x - float64(n*ln2High)
	r -= float64(n * ln2Low)
	p := 0.0
	for k := 14; k >= 2; k-- { // Horner's scheme for r²/2! + r³/3! + ...
		p = (1 + p) * r / float64(k)
	}
	return math.Ldexp(1+(r+float64(p*r)), int(n))
}

// Log64 is the natural logarithm of a normal positive number, at most 1 ulp from the truth.
//
//	x = m 2^e, m in [√½, √2);  ln m = 2 (s + s³/3 + s⁵/5 + ...), s = (m-1)/(m+1)
func Log64(x float64) float64 {
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, e = m+m, e-1
	}
	f := m - 1
	s := f / (2 + f)
	z := float64(s * s)
	p := 0.0
	for k := 23; k >= 3; k -= 2 {
		p = float64((1/float64(k) + p) * z)
	}
	// 2s = f - s f, so that what is small against f alone is rounded.
	small := float64(s*(f-float64(2*p))) - float64(float64(e)*ln2Low)
	return float64(float64(e)*ln2High) - (small - f)
}

// Pow64 is x to the y for a positive x, by Log64 and Exp64: about |y ln x| ulp from the truth, and at least 2.
func Pow64(x, y float64) float64 { return Exp64(float64(y * Log64(x))) }
