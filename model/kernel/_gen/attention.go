package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// blocks walks over the first n slots of a list of blocks. For each block it calls walk with the address of the head in
// the block's first slot and the number of slots, both of which walk uses up. Of the parameters, slots is the number of
// slots a block; width (of a slot) and at (of the head within it) are in bytes.
func blocks(name, list string, offset reg.Register, walk func(at, run reg.Register)) {
	header, n := base(list), Load(Param("n"), GP64())
	Label(name)
	at, run := GP64(), Load(Param("slots"), GP64())
	MOVQ(Mem{Base: header}, at)
	ADDQ(mem(Param("at")), at)
	if offset != nil {
		ADDQ(offset, at)
	}
	CMPQ(run, n)
	CMOVQGT(n, run)
	SUBQ(run, n)
	walk(at, run)
	ADDQ(Imm(24), header)
	CMPQ(n, Imm(0))
	JNE(LabelRef(name))
}

// inTurn takes so many slots at a time off run as long as there are as many, for each of the counts in turn.
func inTurn(run reg.Register, counts []int, body func(label string, slots int)) {
	for _, slots := range counts {
		label := fmt.Sprintf("slots%d", slots)
		Label(label)
		CMPQ(run, Imm(uint64(slots)))
		JLT(LabelRef(label + "done"))
		body(label, slots)
		SUBQ(Imm(uint64(slots)), run)
		JMP(LabelRef(label))
		Label(label + "done")
	}
}

// dot is for one or two heads: four slots at a time as long as there are four in the block, then one by one.
func dot(heads int) {
	TEXT(fmt.Sprintf("dot%d", heads), NOSPLIT,
		"func(scores []float32, stride int, q []float32, k [][]uint32, slots, width, at, size, n int)")
	Doc(fmt.Sprintf("dot%d is dotPlain for %d heads; all but slots and n is in bytes.", heads, heads))
	Pragma("noescape")
	d := dots{
		heads: heads, scores: base("scores"), q: base("q"), width: Load(Param("width"), GP64()), size: Load(Param("size"), GP64()),
		stride: Load(Param("stride"), GP64()), width3: GP64(),
	}
	LEAQ(Mem{Base: d.width, Index: d.width, Scale: 2}, d.width3)
	blocks("block", "k", nil, func(at, run reg.Register) {
		inTurn(run, []int{4, 1}, func(label string, slots int) {
			d.store(d.sums(label, at, slots))
			for range slots {
				ADDQ(d.width, at)
			}
			ADDQ(U32(4*slots), d.scores)
		})
	})
	VZEROUPPER()
	RET()
}

// dots holds the registers of dot. Sizes are in bytes.
type dots struct {
	heads                                  int
	scores, q, width, width3, size, stride reg.Register
}

// sums computes the lanes of the dot products of all heads with some slots: [head][slot].
func (d *dots) sums(label string, at reg.Register, slots int) [][]reg.VecVirtual {
	key, query, left := GP64(), GP64(), GP64()
	MOVQ(at, key)
	MOVQ(d.q, query)
	MOVQ(d.size, left)
	sums := make([][]reg.VecVirtual, d.heads)
	d.multiply(key, query, left, slots, func(h, _ int, p reg.VecVirtual) { sums[h] = append(sums[h], p) })
	JZ(LabelRef(label + "sum"))
	Label(label + "dims")
	d.multiply(key, query, left, slots, func(h, s int, p reg.VecVirtual) { VADDPS(p, sums[h][s], sums[h][s]) })
	JNZ(LabelRef(label + "dims"))
	Label(label + "sum")
	return sums
}

// multiply multiplies eight numbers of each head's query with those of each slot, and moves on by eight.
func (d *dots) multiply(key, query, left reg.Register, slots int, put func(head, slot int, p reg.VecVirtual)) {
	var x []reg.VecVirtual
	for _, m := range []Mem{{Base: query}, {Base: query, Index: d.size, Scale: 1}}[:d.heads] {
		v := YMM()
		VMOVUPS(m, v)
		x = append(x, v)
	}
	for s, m := range []Mem{
		{Base: key}, {Base: key, Index: d.width, Scale: 1}, {Base: key, Index: d.width, Scale: 2}, {Base: key, Index: d.width3, Scale: 1},
	}[:slots] {
		k := YMM()
		VMOVUPS(m, k)
		for h := range x {
			p := YMM()
			VMULPS(k, x[h], p)
			put(h, s, p)
		}
	}
	ADDQ(Imm(32), key)
	ADDQ(Imm(32), query)
	SUBQ(Imm(32), left)
}

// store adds up the lanes and writes the scores.
func (d *dots) store(sums [][]reg.VecVirtual) {
	for h, to := range []Mem{{Base: d.scores}, {Base: d.scores, Index: d.stride, Scale: 1}}[:d.heads] {
		if first := sums[h][0]; len(sums[h]) == 1 {
			treeOf8(first)
			VMOVSS(first.AsX(), to)
		} else {
			treesOf8(sums[h])
			VMOVUPS(first.AsX(), to)
		}
	}
}

// treesOf8 leaves the sums of the lanes of four vectors in the first vector's low half.
func treesOf8(v []reg.VecVirtual) {
	VHADDPS(v[1], v[0], v[0])
	VHADDPS(v[3], v[2], v[2])
	VHADDPS(v[2], v[0], v[0])
	high := XMM()
	VEXTRACTF128(Imm(1), v[0], high)
	VADDPS(high, v[0].AsX(), v[0].AsX())
}

// mix is for one or two heads: 32 numbers of the head at a time as long as there are 32, then 8 by 8.
func mix(heads int) {
	TEXT(fmt.Sprintf("mix%d", heads), NOSPLIT,
		"func(out, weights []float32, stride int, inverse []float32, v [][]uint32, slots, width, at, size, n int)")
	Doc(fmt.Sprintf("mix%d is mixPlain for %d heads; all but slots and n is in bytes.", heads, heads))
	Pragma("noescape")
	done := GP64()
	XORQ(done, done)
	for _, wide := range []int{4, 1} {
		label := fmt.Sprintf("wide%d", wide)
		Label(label)
		left := Load(Param("size"), GP64())
		SUBQ(done, left)
		CMPQ(left, U32(32*wide))
		JLT(LabelRef(label + "done"))
		scale(weighted(label, heads, wide, done), done)
		ADDQ(U32(32*wide), done)
		JMP(LabelRef(label))
		Label(label + "done")
	}
	VZEROUPPER()
	RET()
}

// weighted adds up the slots of V, each times its weight: [head][vector], from byte done of the head on.
func weighted(label string, heads, wide int, done reg.Register) [][]reg.VecVirtual {
	var sums [][]reg.VecVirtual
	for range heads {
		sums = append(sums, zeros(wide))
	}
	weights, stride, width := base("weights"), Load(Param("stride"), GP64()), Load(Param("width"), GP64())
	blocks(label+"block", "v", done, func(at, run reg.Register) {
		Label(label + "slot")
		var w []reg.VecVirtual
		for _, m := range []Mem{{Base: weights}, {Base: weights, Index: stride, Scale: 1}}[:heads] {
			x := YMM()
			VBROADCASTSS(m, x)
			w = append(w, x)
		}
		for i := range wide {
			x := YMM()
			VMOVUPS(Mem{Base: at, Disp: 32 * i}, x)
			for h := range heads {
				p := YMM()
				VMULPS(w[h], x, p)
				VADDPS(p, sums[h][i], sums[h][i])
			}
		}
		ADDQ(Imm(4), weights)
		ADDQ(width, at)
		DECQ(run)
		JNZ(LabelRef(label + "slot"))
	})
	return sums
}

// scale writes the sums times each head's inverse.
func scale(sums [][]reg.VecVirtual, done reg.Register) {
	out, size, inverse := base("out"), Load(Param("size"), GP64()), base("inverse")
	ADDQ(done, out)
	for h, row := range sums {
		by := YMM()
		VBROADCASTSS(Mem{Base: inverse, Disp: 4 * h}, by)
		for i, v := range row {
			VMULPS(by, v, v)
			VMOVUPS(v, Mem{Base: out, Disp: 32 * i})
		}
		ADDQ(size, out)
	}
}
