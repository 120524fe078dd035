package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The multipliers of package kernel's Sum.
const (
	kFirst, kStep = 0x9e3779b1, 0x85ebca6a
	vFirst, vStep = 0xc2b2ae3d, 0x27d4eb2e
)

// sum takes four positions at a time: their K words stand in the lower half of a vector, their V words in the upper half. A
// product needs its factors in the lower half of 64 bits, so even and odd positions are multiplied by themselves.
func sum() {
	TEXT("sumVector", NOSPLIT, "func(words []uint32, table *int32, stride, slots, n int) uint64")
	Doc("sumVector is sumPlain; stride and slots are in bytes, n is at least 1.")
	Pragma("noescape")
	words, table, left := base("words"), Load(Param("table"), GP64()), bytes(Load(Param("n"), GP64()))
	stride, slots := Load(Param("stride"), GP64()), Load(Param("slots"), GP64())
	s, step := newSums(), fourOn()

	Label("block")
	k, v, run := GP64(), GP64(), GP64()
	MOVLQSX(Mem{Base: table}, k)
	IMULQ(stride, k)
	ADDQ(words, k)
	LEAQ(Mem{Base: k, Index: slots, Scale: 1}, v)
	MOVQ(slots, run)
	CMPQ(left, run)
	CMOVQLT(left, run)
	SUBQ(run, left)
	SUBQ(Imm(row4), run)
	JLT(LabelRef("rest"))

	Label("four")
	both := YMM()
	VMOVDQU(Mem{Base: k}, both.AsX())
	VINSERTI128(Imm(1), Mem{Base: v}, both, both)
	s.take(both)
	s.move(step)
	ADDQ(Imm(row4), k)
	ADDQ(Imm(row4), v)
	SUBQ(Imm(row4), run)
	JGE(LabelRef("four"))

	Label("rest")
	ADDQ(Imm(row4), run)
	JZ(LabelRef("next"))
	s.rest(k, v, run)

	Label("next")
	ADDQ(Imm(4), table)
	TESTQ(left, left)
	JNZ(LabelRef("block"))
	Store(s.total(), ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// row4 is the size of four words in bytes.
const row4 = 16

// sums are the running sums, and the multipliers of the positions that come next.
type sums struct {
	evenBy, oddBy, even, odd reg.VecVirtual
}

func newSums() *sums {
	s := &sums{evenBy: YMM(), oddBy: YMM(), even: YMM(), odd: YMM()}
	VMOVDQU(multipliers(), s.evenBy)
	VPSRLQ(Imm(32), s.evenBy, s.oddBy)
	VPXOR(s.even, s.even, s.even)
	VPXOR(s.odd, s.odd, s.odd)
	return s
}

// take adds the products of four positions; it leaves nothing in x.
func (s *sums) take(x reg.VecVirtual) {
	p := YMM()
	VPMULUDQ(x, s.evenBy, p)
	VPADDQ(p, s.even, s.even)
	VPSRLQ(Imm(32), x, x)
	VPMULUDQ(x, s.oddBy, x)
	VPADDQ(x, s.odd, s.odd)
}

// move brings the multipliers on by a step, which is the same for all positions.
func (s *sums) move(by Op) {
	VPADDD(by, s.evenBy, s.evenBy)
	VPADDD(by, s.oddBy, s.oddBy)
}

// rest takes one to three positions, of which run is the size.
func (s *sums) rest(k, v, run reg.Register) {
	masks, steps := GP64(), GP64()
	LEAQ(restMasks(), masks)
	LEAQ(restSteps(), steps)
	mask, x, upper, by := XMM(), YMM(), XMM(), YMM()
	SHLQ(Imm(2), run)
	VMOVDQU(Mem{Base: masks, Index: run, Scale: 1}, mask)
	VPMASKMOVD(Mem{Base: k}, mask, x.AsX())
	VPMASKMOVD(Mem{Base: v}, mask, upper)
	VINSERTI128(Imm(1), upper, x, x)
	s.take(x)
	VMOVDQU(Mem{Base: steps, Index: run, Scale: 2}, by)
	s.move(by)
}

// total adds all lanes of both sums.
func (s *sums) total() reg.Register {
	high, sum := XMM(), GP64()
	VPADDQ(s.odd, s.even, s.even)
	VEXTRACTI128(Imm(1), s.even, high)
	VPADDQ(high, s.even.AsX(), s.even.AsX())
	VPSHUFD(Imm(0x4e), s.even.AsX(), high)
	VPADDQ(high, s.even.AsX(), s.even.AsX())
	VMOVQ(s.even.AsX(), sum)
	return sum
}

// lanes writes eight words: k plus up to three steps, then v plus as many.
func lanes(at int, k, kStep, v, vStep uint32) {
	for i := range uint32(4) {
		DATA(at+int(4*i), U32(k+i*kStep))
	}
	for i := range uint32(4) {
		DATA(at+row4+int(4*i), U32(v+i*vStep))
	}
}

// multipliers are those of positions 0 to 3.
func multipliers() Mem {
	m := GLOBL("sumFirst", RODATA|NOPTR)
	lanes(0, kFirst, kStep, vFirst, vStep)
	return m
}

// fourOn is the step of four positions, for every lane.
func fourOn() Mem {
	m := GLOBL("sumFour", RODATA|NOPTR)
	lanes(0, 4*kStep%(1<<32), 0, 4*vStep%(1<<32), 0)
	return m
}

// restMasks are, for 0 to 3 positions, all bits in as many of four words.
func restMasks() Mem {
	m := GLOBL("sumMasks", RODATA|NOPTR)
	for n := range 4 {
		for i := range 4 {
			word := uint32(0)
			if i < n {
				word = ^word
			}
			DATA(row4*n+4*i, U32(word))
		}
	}
	return m
}

// restSteps are the steps of 0 to 3 positions.
func restSteps() Mem {
	m := GLOBL("sumSteps", RODATA|NOPTR)
	for n := range 4 {
		lanes(2*row4*n, uint32(n*kStep), 0, uint32(n*vStep), 0)
	}
	return m
}
