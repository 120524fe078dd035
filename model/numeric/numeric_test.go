package numeric

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// precision is that of the truth, in bits.
const precision = 200

func number(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }

func product(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(precision).Mul(a, b) }

// series sums first + first·step(1) + first·step(1)·step(2) + ... until the terms vanish.
func series(first *big.Float, step func(k int64) *big.Float) *big.Float {
	sum, term := number(0), first
	for k := int64(1); term.Sign() != 0 && term.MantExp(nil) > -precision; k++ {
		sum.Add(sum, term)
		term = product(term, step(k))
	}
	return sum
}

func over(x *big.Float, n int64) *big.Float {
	return new(big.Float).SetPrec(precision).Quo(x, new(big.Float).SetInt64(n))
}

// bigExp halves the argument until the series is short, and squares the result as often.
func bigExp(x float64) *big.Float {
	small := new(big.Float).SetMantExp(number(x), -12)
	e := series(number(1), func(k int64) *big.Float { return over(small, k) })
	for range 12 {
		e = product(e, e)
	}
	return e
}

// bigPi is Machin's 16 arctan(1/5) - 4 arctan(1/239).
func bigPi() *big.Float {
	arctan := func(n int64) *big.Float {
		sum, power, square := number(0), over(number(1), n), n*n
		for k := int64(0); power.MantExp(nil) > -precision-60; k++ {
			term := over(power, 2*k+1)
			if k%2 == 1 {
				term.Neg(term)
			}
			sum.Add(sum, term)
			power = over(power, square)
		}
		return sum
	}
	a, b := product(number(16), arctan(5)), product(number(4), arctan(239))
	return a.Sub(a, b)
}

var pi = bigPi()

func bigSinCos(x float64) (sin, cos *big.Float) {
	turn := product(number(2), pi)
	turns, _ := new(big.Float).Quo(number(x), turn).Float64()
	r := new(big.Float).SetPrec(precision).Sub(number(x), product(number(math.Round(turns)), turn))
	square := product(r, r)
	square.Neg(square)
	sin = series(r, func(k int64) *big.Float { return over(square, 2*k*(2*k+1)) })
	cos = series(number(1), func(k int64) *big.Float { return over(square, 2*k*(2*k-1)) })
	return sin, cos
}

// away is the distance of got from the truth in the given unit.
func away(got float64, truth *big.Float, unit float64) float64 {
	d := new(big.Float).SetPrec(precision).Sub(number(got), truth)
	f, _ := d.Quo(d, number(unit)).Float64()
	return math.Abs(f)
}

func ulp64(x float64) float64 { return math.Nextafter(math.Abs(x), math.Inf(1)) - math.Abs(x) }

func ulp32(x float32) float64 {
	x = float32(math.Abs(float64(x)))
	return float64(math.Nextafter32(x, math.MaxFloat32)) - float64(x)
}

// points are a grid over [lo,hi] and as many at random; the same on every run.
func points(lo, hi float64, n int) []float64 {
	rng := rand.New(rand.NewPCG(1, 2))
	var xs []float64
	for i := range n {
		xs = append(xs, lo+(hi-lo)*float64(i)/float64(n-1), lo+(hi-lo)*rng.Float64())
	}
	return xs
}

// within checks the largest distance over the points.
func within(t *testing.T, name string, bound float64, xs []float64, distance func(x float64) float64) {
	t.Helper()
	worst, at := 0.0, 0.0
	for _, x := range xs {
		if d := distance(x); !(d <= worst) {
			worst, at = d, x
		}
	}
	t.Logf("%s: at most %.3f, at %v", name, worst, at)
	if !(worst <= bound) {
		t.Errorf("%s is %.3f from the truth at %v, stated is %v", name, worst, at, bound)
	}
}

func TestExpIsWithinAnUlpAndATenth(t *testing.T) {
	for _, r := range [][2]float64{{ExpMin, ExpMax}, {-1, 1}, {-20, 0}} {
		within(t, "Exp", 1.1, append(points(r[0], r[1], 2000), 26.688902), func(x float64) float64 {
			in := float32(x)
			y := Exp(in)
			return away(float64(y), bigExp(float64(in)), ulp32(y))
		})
	}
}

func TestExpEndsAtItsBounds(t *testing.T) {
	for x, want := range map[float32]float32{0: 1, -87.5: 0, -1e30: 0, float32(math.Inf(-1)): 0, 89: Exp(88), 1e30: Exp(88)} {
		if got := Exp(x); got != want {
			t.Errorf("Exp(%v) is %v, want %v", x, got, want)
		}
	}
	if got := Exp(float32(math.NaN())); got != 0 {
		t.Errorf("Exp of no number is %v, want 0 as in the kernels", got)
	}
}

func TestExp64AndLog64AreWithinOneUlp(t *testing.T) {
	within(t, "Exp64", 1, append(points(-700, 700, 1000), points(-1, 1, 1000)...), func(x float64) float64 {
		y := Exp64(x)
		return away(y, bigExp(x), ulp64(y))
	})
	// The truth's derivative is 1/x: exp of the result differs from x by the result's error times x.
	within(t, "Log64", 1, append(points(1e-3, 4, 1000), points(1, 1e6, 1000)...), func(x float64) float64 {
		y := Log64(x)
		return away(x, bigExp(y), ulp64(y)*x)
	})
}

func TestSinCosIsWithinAnUlpAndAHalfUlpOfOne(t *testing.T) {
	xs := append(points(-8, 8, 1000), points(-1<<20, 1<<20, 1000)...)
	for n := range 500 { // next to the zeros, where the reduction cancels
		xs = append(xs, float64(n)*math.Pi/2)
	}
	bound := func(y float64) float64 { return 0x1p-53 + ulp64(y) }
	within(t, "sine", 1, xs, func(x float64) float64 {
		got, _ := SinCos(x)
		truth, _ := bigSinCos(x)
		return away(got, truth, bound(got))
	})
	within(t, "cosine", 1, xs, func(x float64) float64 {
		_, got := SinCos(x)
		_, truth := bigSinCos(x)
		return away(got, truth, bound(got))
	})
}

// The frequencies of the rotary positions: 10000 to the -2i/size.
func TestPow64GivesTheRotaryFrequencies(t *testing.T) {
	for y, want := range map[float64]float64{0: 1, -0.25: 0.1, -0.5: 0.01, -0.75: 0.001, -1: 0.0001} {
		if got := Pow64(10000, y); math.Abs(got-want) > 12*ulp64(want) {
			t.Errorf("10000 to the %v is %v, want %v", y, got, want)
		}
	}
}

func TestSqrtIsRoundedOnce(t *testing.T) {
	for _, x := range points(1e-6, 1e6, 2000) {
		in := float32(x)
		root := new(big.Float).SetPrec(precision).Sqrt(number(float64(in)))
		want, _ := root.Float32()
		if got := Sqrt(in); got != want {
			t.Fatalf("the root of %v is %v, want %v", in, got, want)
		}
	}
}
