package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/gotypes"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// each runs over the n elements behind the pointers, eight at a time; it moves the pointers.
func each(label string, n reg.Register, body func(), pointers ...reg.Register) {
	Label(label)
	body()
	for _, p := range pointers {
		ADDQ(Imm(32), p)
	}
	SUBQ(Imm(8), n)
	JNZ(LabelRef(label))
}

func norm() {
	TEXT("normVector", NOSPLIT, "func(y, x, w []float32, eps float32)")
	Doc("normVector is normPlain.")
	Pragma("noescape")
	y, x, w := base("y"), base("x"), base("w")
	n, from := Load(Param("x").Len(), GP64()), GP64()
	MOVQ(x, from)
	sum := zeros(1)[0]
	each("squares", n, func() {
		v := YMM()
		VMOVUPS(Mem{Base: from}, v)
		VMULPS(v, v, v)
		VADDPS(v, sum, sum)
	}, from)
	treeOf8(sum)
	s := sum.AsX()
	length, count, one := Load(Param("x").Len(), GP64()), XMM(), XMM()
	VXORPS(count, count, count)
	VCVTSI2SSQ(length, count, count)
	VDIVSS(count, s, s)
	VADDSS(Load(Param("eps"), XMM()), s, s)
	VSQRTSS(s, s, s)
	VMOVSS(oneData(), one)
	VDIVSS(s, one, s)
	inverse := YMM()
	VBROADCASTSS(s, inverse)
	each("scale", length, func() {
		v := YMM()
		VMULPS(Mem{Base: x}, inverse, v)
		VMULPS(Mem{Base: w}, v, v)
		VMOVUPS(v, Mem{Base: y})
	}, y, x, w)
	VZEROUPPER()
	RET()
}

func oneData() Mem {
	m := GLOBL("one", RODATA|NOPTR)
	DATA(0, F32(1))
	return m
}

func rotate() {
	TEXT("rotateHeads", NOSPLIT, "func(x, cos, sin []float32, scale float32)")
	Doc("rotateHeads is rotatePlain.")
	Pragma("noescape")
	x, left := base("x"), Load(Param("x").Len(), GP64())
	scale := YMM()
	VBROADCASTSS(mem(Param("scale")), scale)
	Label("head")
	cos, sin, n := base("cos"), base("sin"), Load(Param("cos").Len(), GP64())
	SUBQ(n, left)
	each("pairs", n, func() {
		v, swapped := YMM(), YMM()
		VMOVUPS(Mem{Base: x}, v)
		VPERMILPS(Imm(0xB1), v, swapped)
		VMULPS(Mem{Base: cos}, v, v)
		VMULPS(Mem{Base: sin}, swapped, swapped)
		VADDSUBPS(swapped, v, v) // even elements subtract, odd ones add
		VMULPS(scale, v, v)
		VMOVUPS(v, Mem{Base: x})
	}, x, cos, sin)
	CMPQ(left, Imm(0))
	JNE(LabelRef("head"))
	VZEROUPPER()
	RET()
}

// mem is where a parameter lies.
func mem(c gotypes.Component) Mem {
	b, err := c.Resolve()
	if err != nil {
		panic(err)
	}
	return b.Addr
}
