package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The kernels of a tile have a query head in each of the 16 elements of a vector, so an array that they share is
// [...][16]. Each element's sums go as those of one query alone: the eight lanes of a sum along a head, or along the
// positions, are eight vectors.

// row is the size of 16 numbers in bytes.
const row = 64

func tileZeros(n int) []reg.VecVirtual {
	v := make([]reg.VecVirtual, n)
	for i := range v {
		v[i] = ZMM()
		VPXORD(v[i], v[i], v[i])
	}
	return v
}

// tileTree leaves the sum of the eight lanes in the first: ((0+1)+(2+3)) + ((4+5)+(6+7)).
func tileTree(lane []reg.VecVirtual) {
	for step := 1; step < len(lane); step *= 2 {
		for i := 0; i < len(lane); i += 2 * step {
			VADDPS(lane[i+step], lane[i], lane[i])
		}
	}
}

// dotTile takes three slots of K at a time as long as there are three in the block, then one by one.
func dotTile() {
	TEXT("dotTile", NOSPLIT, "func(scores, q []float32, k [][]uint32, slots, width, at, size, n int)")
	Doc("dotTile is dotPlain for a tile: scores[position][16] from q[dim][16]; width, at and size are in bytes.")
	Pragma("noescape")
	scores, q, width, size := base("scores"), base("q"), Load(Param("width"), GP64()), Load(Param("size"), GP64())
	blocks("block", "k", nil, func(at, run reg.Register) {
		inTurn(run, []int{3, 1}, func(label string, slots int) {
			keys := []Mem{{Base: at}, {Base: at, Index: width, Scale: 1}, {Base: at, Index: width, Scale: 2}}
			for s, lanes := range tileSums(label, keys[:slots], q, size) {
				tileTree(lanes)
				VMOVUPS(lanes[0], Mem{Base: scores, Disp: row * s})
				ADDQ(width, at)
			}
			ADDQ(U32(uint32(row*slots)), scores)
		})
	})
	VZEROUPPER()
	RET()
}

// tileSums computes the lanes of the dot products of all queries with the keys: [key][lane].
func tileSums(label string, keys []Mem, q, size reg.Register) [][]reg.VecVirtual {
	query, done := GP64(), GP64()
	MOVQ(q, query)
	sums := make([][]reg.VecVirtual, len(keys))
	at := make([]reg.Register, len(keys))
	for s, m := range keys {
		at[s] = GP64()
		LEAQ(m, at[s])
	}
	multiply := func(put func(s, lane int, p reg.VecVirtual)) {
		for lane := range 8 {
			x := ZMM()
			VMOVUPS(Mem{Base: query, Disp: row * lane}, x)
			for s := range keys {
				p := ZMM()
				VMULPS_BCST(Mem{Base: at[s], Disp: 4 * lane}, x, p)
				put(s, lane, p)
			}
		}
		ADDQ(U32(8*row), query)
		for s := range keys {
			ADDQ(Imm(32), at[s])
		}
		SUBQ(Imm(32), done)
	}
	MOVQ(size, done)
	multiply(func(s, _ int, p reg.VecVirtual) { sums[s] = append(sums[s], p) })
	JZ(LabelRef(label + "sum"))
	Label(label + "dims")
	multiply(func(s, lane int, p reg.VecVirtual) { VADDPS(p, sums[s][lane], sums[s][lane]) })
	JNZ(LabelRef(label + "dims"))
	Label(label + "sum")
	return sums
}

// softmaxTile takes eight positions at a time, one a lane.
func softmaxTile(c expConstants) {
	TEXT("softmaxTile", NOSPLIT, "func(scores, inverse []float32)")
	Doc("softmaxTile is softmaxPlain for a tile: scores[position][16], a multiple of 8 of them; inverse is 1 / the sums.")
	Pragma("noescape")
	s, size := base("scores"), bytes(Load(Param("scores").Len(), GP64()))
	from, left := GP64(), GP64()
	MOVQ(s, from)
	MOVQ(size, left)
	top := make([]reg.VecVirtual, 4)
	for i := range top {
		top[i] = ZMM()
		VMOVUPS(Mem{Base: s}, top[i])
	}
	rowsBy8("top", from, left, func(i int) { VMAXPS(Mem{Base: from, Disp: row * i}, top[i%4], top[i%4]) })
	for _, x := range top[1:] {
		VMAXPS(x, top[0], top[0])
	}
	c, sum := c.wide(), tileZeros(8)
	rowsBy8("exponentials", s, size, func(i int) {
		v := ZMM()
		VMOVUPS(Mem{Base: s, Disp: row * i}, v)
		VSUBPS(top[0], v, v)
		c.ofWide(v)
		VMOVUPS(v, Mem{Base: s, Disp: row * i})
		VADDPS(v, sum[i], sum[i])
	})
	tileTree(sum)
	VDIVPS(sum[0], c.one, sum[0])
	VMOVUPS(sum[0], Mem{Base: base("inverse")})
	VZEROUPPER()
	RET()
}

// rowsBy8 runs over rows of 16, eight of them at a time; at and left, in bytes, move on.
func rowsBy8(label string, at, left reg.Register, body func(i int)) {
	Label(label)
	for i := range 8 {
		body(i)
	}
	ADDQ(U32(8*row), at)
	SUBQ(U32(8*row), left)
	JNZ(LabelRef(label))
}

// mixTile computes eight numbers of the heads at a time.
func mixTile() {
	TEXT("mixTile", NOSPLIT, "func(out, weights, inverse []float32, v [][]uint32, slots, width, at, size, n int)")
	Doc("mixTile is mixPlain for a tile: out[dim][16] from weights[position][16]; width, at and size are in bytes.")
	Pragma("noescape")
	out, done, width := base("out"), GP64(), Load(Param("width"), GP64())
	XORQ(done, done)
	Label("dims")
	weights, sums := base("weights"), tileZeros(8)
	blocks("block", "v", done, func(at, run reg.Register) {
		Label("slot")
		w := ZMM()
		VMOVUPS(Mem{Base: weights}, w)
		for i, sum := range sums {
			p := ZMM()
			VMULPS_BCST(Mem{Base: at, Disp: 4 * i}, w, p)
			VADDPS(p, sum, sum)
		}
		ADDQ(Imm(row), weights)
		ADDQ(width, at)
		DECQ(run)
		JNZ(LabelRef("slot"))
	})
	inverse := ZMM()
	VMOVUPS(Mem{Base: base("inverse")}, inverse)
	for i, sum := range sums {
		VMULPS(inverse, sum, sum)
		VMOVUPS(sum, Mem{Base: out, Disp: row * i})
	}
	ADDQ(U32(8*row), out)
	ADDQ(Imm(32), done)
	CMPQ(done, Load(Param("size"), GP64()))
	JLT(LabelRef("dims"))
	VZEROUPPER()
	RET()
}
