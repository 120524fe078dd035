package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The constants of numeric.Exp. A test compares the results.
var terms = []float32{1. / 5040, 1. / 720, 1. / 120, 1. / 24, 1. / 6, 1. / 2}

func number(name string, x float32) Mem {
	m := GLOBL(name, RODATA|NOPTR)
	for i := range 8 {
		DATA(4*i, F32(x))
	}
	return m
}

// expConstants lie in memory, eight times each, or in vectors of 16.
type expConstants struct {
	least, most, log2e, round, high, low, bias, one Op
	terms                                           []Op
}

func newExpConstants() expConstants {
	c := expConstants{
		least: number("expLeast", -87), most: number("expMost", 88), log2e: number("expLog2E", math.Log2E),
		round: number("expRound", 3<<22), high: number("expHigh", 0x1.62e4p-1),
		low: number("expLow", math.Ln2-0x1.62e4p-1), one: number("ones", 1),
		bias: number("expBias", math.Float32frombits(127<<23)),
	}
	for i, t := range terms {
		c.terms = append(c.terms, number("expTerm"+string(rune('7'-i)), t))
	}
	return c
}

// wide brings the constants into vectors of 16.
func (c expConstants) wide() expConstants {
	load := func(m Op) Op {
		x := ZMM()
		VBROADCASTSS(m, x)
		return x
	}
	w := expConstants{
		least: load(c.least), most: load(c.most), log2e: load(c.log2e), round: load(c.round),
		high: load(c.high), low: load(c.low), bias: load(c.bias), one: load(c.one),
	}
	for _, t := range c.terms {
		w.terms = append(w.terms, load(t))
	}
	return w
}

// notBelow is the comparison that is true of x >= least.
const notBelow = 0x1d

// of replaces x, a vector of 8, by its exponential, as numeric.Exp computes it.
func (c expConstants) of(x reg.VecVirtual) {
	keep := YMM()
	VCMPPS(Imm(notBelow), c.least, x, keep)
	p, power := c.parts(x, YMM)
	VMULPS(power, p, p)
	VANDPS(keep, p, x)
}

// ofWide is of for a vector of 16.
func (c expConstants) ofWide(x reg.VecVirtual) {
	keep := K()
	VCMPPS(Imm(notBelow), c.least, x, keep)
	p, power := c.parts(x, ZMM)
	VMULPS_Z(power, p, keep, x)
}

// parts computes two numbers whose product is the exponential of x if x is not below least; it uses x up.
func (c expConstants) parts(x reg.VecVirtual, vector func() reg.VecVirtual) (p, power reg.VecVirtual) {
	p, power = vector(), vector()
	shifted, n := power, vector()
	VMINPS(c.most, x, x)
	VMULPS(c.log2e, x, shifted)
	VADDPS(c.round, shifted, shifted)
	VSUBPS(c.round, shifted, n)
	VMULPS(c.high, n, p)
	VSUBPS(p, x, x)
	VMULPS(c.low, n, p)
	VSUBPS(p, x, x)
	VMULPS(c.terms[0], x, p)
	for _, t := range c.terms[1:] {
		VADDPS(t, p, p)
		VMULPS(x, p, p)
	}
	VMULPS(x, p, p)
	VADDPS(x, p, p)
	VADDPS(c.one, p, p)
	VPSLLD(Imm(23), shifted, power)
	VPADDD(c.bias, power, power)
	return p, power
}

func exponentials(c expConstants) {
	TEXT("gateVector", NOSPLIT, "func(y, g, u []float32)")
	Doc("gateVector is gatePlain.")
	Pragma("noescape")
	y, g, u, n := base("y"), base("g"), base("u"), Load(Param("g").Len(), GP64())
	each("gate", n, func() {
		v, e := YMM(), YMM()
		VMOVUPS(Mem{Base: g}, v)
		VXORPS(number("signs", float32(math.Copysign(0, -1))), v, e)
		c.of(e)
		VADDPS(c.one, e, e)
		VDIVPS(e, v, v)
		VMULPS(Mem{Base: u}, v, v)
		VMOVUPS(v, Mem{Base: y})
	}, y, g, u)
	VZEROUPPER()
	RET()

	TEXT("softmaxVector", NOSPLIT, "func(scores []float32) float32")
	Doc("softmaxVector is softmaxPlain.")
	Pragma("noescape")
	s, left := base("scores"), Load(Param("scores").Len(), GP64())
	from, top := GP64(), YMM()
	MOVQ(s, from)
	VMOVUPS(Mem{Base: s}, top)
	each("top", left, func() { VMAXPS(Mem{Base: from}, top, top) }, from)
	other := YMM()
	VPERM2F128(Imm(1), top, top, other)
	VMAXPS(other, top, top)
	for _, order := range []uint64{0x4E, 0xB1} {
		VPERMILPS(Imm(order), top, other)
		VMAXPS(other, top, top)
	}
	sum := zeros(1)[0]
	n = Load(Param("scores").Len(), GP64())
	each("exponentials", n, func() {
		v := YMM()
		VMOVUPS(Mem{Base: s}, v)
		VSUBPS(top, v, v)
		c.of(v)
		VMOVUPS(v, Mem{Base: s})
		VADDPS(v, sum, sum)
	}, s)
	treeOf8(sum)
	Store(sum.AsX(), ReturnIndex(0))
	VZEROUPPER()
	RET()
}
