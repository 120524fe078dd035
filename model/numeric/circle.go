package numeric

import "math"

// A quarter of the circle in three parts. The first two have 33 significant bits, so that their products with a whole
// number below 2^20 are exact; the third is rounded.
const (
	quarter1 = 0x1.921fb544p+0
	quarter2 = 0x1.0b4611a6p-34
	quarter3 = math.Pi/2 - quarter1 - quarter2
)

// SinCos is the sine and the cosine of x radians in float64, for |x| up to 2^20: each at most 2^-53 and 1 ulp of the
// result from the truth.
//
//	x = k π/2 + r, k whole, |r| <= π/4; the Taylor series of r, which of the two and its sign by k
func SinCos(x float64) (sin, cos float64) {
	k := math.Floor(float64(x*(2/math.Pi)) + 0.5)
	r := x - float64(k*quarter1)
	r -= float64(k * quarter2)
	r -= float64(k * quarter3)
	s, c := sinSeries(r), cosSeries(r)
	switch int64(k) & 3 {
	case 0:
		return s, c
	case 1:
		return c, -s
	case 2:
		return -s, -c
	default:
		return -c, s
	}
}

// sinSeries is r - r³/3! + r⁵/5! - ...
func sinSeries(r float64) float64 {
	z, p := float64(r*r), 0.0
	for k := 19; k >= 5; k -= 2 {
		p = float64(z * (1 - p) / float64(k*(k-1)))
	}
	return r - float64(float64(r*z)*((1-p)/6))
}

// cosSeries is 1 - r²/2! + r⁴/4! - ...
func cosSeries(r float64) float64 {
	z, p := float64(r*r), 0.0
	for k := 18; k >= 4; k -= 2 {
		p = float64(z * (1 - p) / float64(k*(k-1)))
	}
	return 1 - float64(z*((1-p)/2))
}
