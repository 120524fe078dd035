package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// rows4 is for whole groups of four rows: for each panel, each group, a tile of 4 × 16.
func rows4() {
	TEXT("mulRows4", NOSPLIT, "func(y []float32, yStride int, x []float32, xStride int, words []float32, in, panels, groups int)")
	Doc("mulRows4 multiplies groups of four rows; see mulPlain.")
	Pragma("noescape")
	y, x, w := base("y"), base("x"), base("words")
	yStride, xStride := bytes(Load(Param("yStride"), GP64())), bytes(Load(Param("xStride"), GP64()))
	in, panels := Load(Param("in"), GP64()), Load(Param("panels"), GP64())

	Label("panel")
	yRow, xRow, groups := GP64(), GP64(), Load(Param("groups"), GP64())
	MOVQ(y, yRow)
	MOVQ(x, xRow)

	Label("group")
	acc := zeros(8)
	k, wk, x3 := GP64(), GP64(), GP64()
	MOVQ(in, k)
	MOVQ(w, wk)
	xk := GP64()
	MOVQ(xRow, xk)
	LEAQ(Mem{Base: xk, Index: xStride, Scale: 2}, x3)
	ADDQ(xStride, x3)
	Label("input")
	lo, hi := YMM(), YMM()
	VMOVUPS(Mem{Base: wk}, lo)
	VMOVUPS(Mem{Base: wk, Disp: 32}, hi)
	for r, from := range []Mem{{Base: xk}, {Base: xk, Index: xStride, Scale: 1}, {Base: xk, Index: xStride, Scale: 2}, {Base: x3}} {
		v, p, q := YMM(), YMM(), YMM()
		VBROADCASTSS(from, v)
		VMULPS(lo, v, p)
		VADDPS(p, acc[2*r], acc[2*r])
		VMULPS(hi, v, q)
		VADDPS(q, acc[2*r+1], acc[2*r+1])
	}
	ADDQ(Imm(64), wk)
	ADDQ(Imm(4), xk)
	ADDQ(Imm(4), x3)
	DECQ(k)
	JNZ(LabelRef("input"))
	for r := range 4 {
		VMOVUPS(acc[2*r], Mem{Base: yRow})
		VMOVUPS(acc[2*r+1], Mem{Base: yRow, Disp: 32})
		ADDQ(yStride, yRow)
	}
	LEAQ(Mem{Base: xRow, Index: xStride, Scale: 4}, xRow)
	DECQ(groups)
	JNZ(LabelRef("group"))

	MOVQ(wk, w)
	ADDQ(Imm(64), y)
	DECQ(panels)
	JNZ(LabelRef("panel"))
	VZEROUPPER()
	RET()
}

// rows8 is for whole groups of eight rows: for each panel, each group, a tile of 8 × 16, each row of it one vector of 16.
func rows8() {
	TEXT("mulRows8", NOSPLIT, "func(y []float32, yStride int, x []float32, xStride int, words []float32, in, panels, groups int)")
	Doc("mulRows8 multiplies groups of eight rows; see mulPlain.")
	Pragma("noescape")
	y, x, w := base("y"), base("x"), base("words")
	yStride, xStride := bytes(Load(Param("yStride"), GP64())), bytes(Load(Param("xStride"), GP64()))
	in, panels := Load(Param("in"), GP64()), Load(Param("panels"), GP64())

	Label("panel")
	yRow, xRow, groups := GP64(), GP64(), Load(Param("groups"), GP64())
	MOVQ(y, yRow)
	MOVQ(x, xRow)

	Label("group")
	k, wk, x0, x3, x5 := GP64(), GP64(), GP64(), GP64(), GP64()
	MOVQ(in, k)
	MOVQ(w, wk)
	MOVQ(xRow, x0)
	LEAQ(Mem{Base: x0, Index: xStride, Scale: 2}, x3)
	ADDQ(xStride, x3)
	LEAQ(Mem{Base: x3, Index: xStride, Scale: 2}, x5)
	rows := []Mem{
		{Base: x0}, {Base: x0, Index: xStride, Scale: 1}, {Base: x0, Index: xStride, Scale: 2}, {Base: x3},
		{Base: x0, Index: xStride, Scale: 4}, {Base: x5}, {Base: x5, Index: xStride, Scale: 1}, {Base: x5, Index: xStride, Scale: 2},
	}
	acc := make([]reg.VecVirtual, len(rows))
	for r := range acc {
		acc[r] = ZMM()
		VPXORD(acc[r], acc[r], acc[r])
	}
	Label("input")
	weights := ZMM()
	VMOVUPS(Mem{Base: wk}, weights)
	for r, from := range rows {
		p := ZMM()
		VMULPS_BCST(from, weights, p)
		VADDPS(p, acc[r], acc[r])
	}
	ADDQ(Imm(64), wk)
	for _, at := range []reg.Register{x0, x3, x5} {
		ADDQ(Imm(4), at)
	}
	DECQ(k)
	JNZ(LabelRef("input"))
	for _, a := range acc {
		VMOVUPS(a, Mem{Base: yRow})
		ADDQ(yStride, yRow)
	}
	LEAQ(Mem{Base: xRow, Index: xStride, Scale: 8}, xRow)
	DECQ(groups)
	JNZ(LabelRef("group"))

	MOVQ(wk, w)
	ADDQ(Imm(64), y)
	DECQ(panels)
	JNZ(LabelRef("panel"))
	VZEROUPPER()
	RET()
}

// row1 is for one row: four panels side by side, as long as there are four, then one by one.
func row1() {
	TEXT("mulRow", NOSPLIT, "func(y, x, words []float32, in, panels int)")
	Doc("mulRow multiplies one row; see mulPlain.")
	Pragma("noescape")
	y, x, w := base("y"), base("x"), base("words")
	in, panels := Load(Param("in"), GP64()), Load(Param("panels"), GP64())
	size := GP64() // of a panel, in bytes
	MOVQ(in, size)
	SHLQ(Imm(6), size)

	for _, side := range []struct {
		label string
		n     int
	}{{"four", 4}, {"one", 1}} {
		Label(side.label)
		CMPQ(panels, Imm(uint64(side.n)))
		JLT(LabelRef(side.label + "done"))
		acc := zeros(2 * side.n)
		k, xk, wk, w3 := GP64(), GP64(), GP64(), GP64()
		MOVQ(in, k)
		MOVQ(x, xk)
		MOVQ(w, wk)
		LEAQ(Mem{Base: wk, Index: size, Scale: 2}, w3)
		ADDQ(size, w3)
		from := []Mem{{Base: wk}, {Base: wk, Index: size, Scale: 1}, {Base: wk, Index: size, Scale: 2}, {Base: w3}}
		Label(side.label + "input")
		v := YMM()
		VBROADCASTSS(Mem{Base: xk}, v)
		for p, m := range from[:side.n] {
			lo, hi := YMM(), YMM()
			VMULPS(m, v, lo)
			VADDPS(lo, acc[2*p], acc[2*p])
			m.Disp = 32
			VMULPS(m, v, hi)
			VADDPS(hi, acc[2*p+1], acc[2*p+1])
		}
		ADDQ(Imm(4), xk)
		ADDQ(Imm(64), wk)
		ADDQ(Imm(64), w3)
		DECQ(k)
		JNZ(LabelRef(side.label + "input"))
		for i, a := range acc {
			VMOVUPS(a, Mem{Base: y, Disp: 32 * i})
		}
		ADDQ(U32(uint32(64*side.n)), y)
		for range side.n {
			ADDQ(size, w)
		}
		SUBQ(Imm(uint64(side.n)), panels)
		JMP(LabelRef(side.label))
		Label(side.label + "done")
	}
	VZEROUPPER()
	RET()
}
