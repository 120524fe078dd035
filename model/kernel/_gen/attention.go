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

// dot is for one or two heads: four slots at a time as long as there are four in the block, then one by one.
func dot(heads int) {
	TEXT(fmt.Sprintf("dot%d", heads), NOSPLIT,
		"func(scores []float32, stride int, q []float32, k [][]uint32, slots, width, at, size, n int)")
	Doc(fmt.Sprintf("dot%d is dotPlain for %d heads; all but slots and n is in bytes.", heads, heads))
	Pragma("noescape")
	scores, q, width, size := base("scores"), base("q"), Load(Param("width"), GP64()), Load(Param("size"), GP64())
	stride, width3 := Load(Param("stride"), GP64()), GP64()
	LEAQ(Mem{Base: width, Index: width, Scale: 2}, width3)

	blocks("block", "k", nil, func(at, run reg.Register) {
		for _, step := range []struct {
			label string
			slots int
		}{{"four", 4}, {"one", 1}} {
			Label(step.label)
			CMPQ(run, Imm(uint64(step.slots)))
			JLT(LabelRef(step.label + "done"))
			key, query, left := GP64(), GP64(), GP64()
			MOVQ(at, key)
			MOVQ(q, query)
			MOVQ(size, left)
			sums := make([][]reg.VecVirtual, heads)
			multiply := func(put func(h int, p reg.VecVirtual)) {
				var x []reg.VecVirtual
				for _, m := range []Mem{{Base: query}, {Base: query, Index: size, Scale: 1}}[:heads] {
					v := YMM()
					VMOVUPS(m, v)
					x = append(x, v)
				}
				for _, m := range []Mem{
					{Base: key}, {Base: key, Index: width, Scale: 1}, {Base: key, Index: width, Scale: 2},
					{Base: key, Index: width3, Scale: 1},
				}[:step.slots] {
					k := YMM()
					VMOVUPS(m, k)
					for h := range heads {
						p := YMM()
						VMULPS(k, x[h], p)
						put(h, p)
					}
				}
				ADDQ(Imm(32), key)
				ADDQ(Imm(32), query)
				SUBQ(Imm(32), left)
			}
			multiply(func(h int, p reg.VecVirtual) { sums[h] = append(sums[h], p) })
			JZ(LabelRef(step.label + "sum"))
			Label(step.label + "dims")
			var done [2]int
			multiply(func(h int, p reg.VecVirtual) {
				VADDPS(p, sums[h][done[h]], sums[h][done[h]])
				done[h]++
			})
			JNZ(LabelRef(step.label + "dims"))
			Label(step.label + "sum")
			for h, to := range []Mem{{Base: scores}, {Base: scores, Index: stride, Scale: 1}}[:heads] {
				if step.slots == 1 {
					treeOf8(sums[h][0])
					VMOVSS(sums[h][0].AsX(), to)
					continue
				}
				treesOf8(sums[h])
				VMOVUPS(sums[h][0].AsX(), to)
			}
			if step.slots == 4 {
				LEAQ(Mem{Base: at, Index: width, Scale: 4}, at)
			} else {
				ADDQ(width, at)
			}
			ADDQ(U32(uint32(4*step.slots)), scores)
			SUBQ(Imm(uint64(step.slots)), run)
			JMP(LabelRef(step.label))
			Label(step.label + "done")
		}
	})
	VZEROUPPER()
	RET()
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
		sums := [][]reg.VecVirtual{zeros(wide), nil}
		if heads == 2 {
			sums[1] = zeros(wide)
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
		out, size, inverse := base("out"), Load(Param("size"), GP64()), base("inverse")
		ADDQ(done, out)
		for h := range heads {
			scale := YMM()
			VBROADCASTSS(Mem{Base: inverse, Disp: 4 * h}, scale)
			for i := range wide {
				VMULPS(scale, sums[h][i], sums[h][i])
				VMOVUPS(sums[h][i], Mem{Base: out, Disp: 32 * i})
			}
			ADDQ(size, out)
		}
		ADDQ(U32(uint32(32*wide)), done)
		JMP(LabelRef(label))
		Label(label + "done")
	}
	VZEROUPPER()
	RET()
}
