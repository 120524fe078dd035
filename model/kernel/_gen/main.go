// Command gen writes the assembly of package kernel. It is a module of its own, so that nobody who uses the kernels needs
// the assembler it is written with. To write the files anew, here:
//
//	go run . -out ../kernel_amd64.s -stubs ../stubs_amd64.go -pkg kernel
//
// Every routine computes to the bit what its plain twin computes, in the same order; products are rounded before they
// are added, so there is no fused multiply-add here.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("amd64,!purego")
	rows8()
	rows4()
	row1()
	norm()
	rotate()
	c := newExpConstants()
	exponentials(c)
	for count := 1; count <= 2; count++ {
		dot(count)
		mix(count)
	}
	gatherTile()
	dotTile()
	softmaxTile(c)
	mixTile()
	scatterTile()
	sum()
	Generate()
}

// base loads the address of a slice parameter's first element.
func base(name string) reg.Register { return Load(Param(name).Base(), GP64()) }

// bytes turns a register's number of float32 into bytes.
func bytes(r reg.Register) reg.Register { SHLQ(Imm(2), r); return r }

// zeros returns n cleared vectors.
func zeros(n int) []reg.VecVirtual {
	v := make([]reg.VecVirtual, n)
	for i := range v {
		v[i] = YMM()
		VXORPS(v[i], v[i], v[i])
	}
	return v
}

// treeOf8 leaves in the lowest element of v the sum of its lanes: ((0+1)+(2+3)) + ((4+5)+(6+7)).
func treeOf8(v reg.VecVirtual) {
	VHADDPS(v, v, v)
	VHADDPS(v, v, v)
	high := XMM()
	VEXTRACTF128(Imm(1), v, high)
	VADDSS(high, v.AsX(), v.AsX())
}
