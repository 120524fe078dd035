// Command asm writes the kernels of package train. Run it in this folder:
//
//	go run . -out ../tile_amd64.s -stubs ../tile_amd64.go -pkg train
//
// It is a module of its own, so that the project does not depend on the generator.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const rows = 4

func main() {
	ConstraintExpr("!purego")
	tile()
	Generate()
}

// tile keeps 4 rows of 16 columns in 8 registers. Each output has one accumulator and k ascends, so that the bits are
// those of the plain loop; it multiplies and then adds, and never fuses the two.
func tile() {
	TEXT("tileAVX2", NOSPLIT, "func(c *float32, ldc int, a *float32, ai, ak int, b *float32, ldb, k int, keep bool)")
	Doc("tileAVX2 is tilePlain. Strides are in floats.")
	Pragma("noescape")
	c, ldc := Load(Param("c"), GP64()), stride("ldc")
	a, ai, ak := Load(Param("a"), GP64()), stride("ai"), stride("ak")
	b, ldb := Load(Param("b"), GP64()), stride("ldb")
	k := Load(Param("k"), GP64())
	ai3 := triple(ai)

	var acc [rows][2]VecVirtual
	for i := range acc {
		for j := range acc[i] {
			acc[i][j] = YMM()
			VXORPS(acc[i][j], acc[i][j], acc[i][j])
		}
	}
	keep := Load(Param("keep"), GP8())
	TESTB(keep, keep)
	JZ(LabelRef("loop"))
	each(c, ldc, func(i, j int, at Mem) { VMOVUPS(at, acc[i][j]) })

	Label("loop")
	TESTQ(k, k)
	JZ(LabelRef("done"))
	var cols [2]VecVirtual
	for j := range cols {
		cols[j] = YMM()
		VMOVUPS(Mem{Base: b, Disp: 32 * j}, cols[j])
	}
	for i := range rows {
		scalar, product := YMM(), YMM()
		at := Mem{Base: a}
		switch i {
		case 1, 2:
			at.Index, at.Scale = ai, uint8(i)
		case 3:
			at.Index, at.Scale = ai3, 1
		}
		VBROADCASTSS(at, scalar)
		for j := range cols {
			VMULPS(cols[j], scalar, product)
			VADDPS(product, acc[i][j], acc[i][j])
		}
	}
	ADDQ(ak, a)
	ADDQ(ldb, b)
	DECQ(k)
	JMP(LabelRef("loop"))

	Label("done")
	c = Load(Param("c"), GP64())
	each(c, ldc, func(i, j int, at Mem) { VMOVUPS(acc[i][j], at) })
	VZEROUPPER()
	RET()
}

// stride loads a number of floats as bytes.
func stride(name string) Register {
	r := Load(Param(name), GP64())
	SHLQ(U8(2), r)
	return r
}

func triple(r Register) Register {
	out := GP64()
	LEAQ(Mem{Base: r, Index: r, Scale: 2}, out)
	return out
}

// each visits the tile in memory, half a row at a time; it leaves c behind the last row.
func each(c, ldc Register, visit func(i, j int, at Mem)) {
	for i := range rows {
		for j := range 2 {
			visit(i, j, Mem{Base: c, Disp: 32 * j})
		}
		ADDQ(ldc, c)
	}
}
