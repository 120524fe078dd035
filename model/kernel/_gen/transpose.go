package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// gather and scatter move blocks of 8 heads × 8 numbers between rows of heads and a tile.

func gatherTile() {
	TEXT("gatherTile", NOSPLIT, "func(q, rows []float32, at *[16]int, size int)")
	Doc("gatherTile sets q[dim][16] to the heads whose first number is rows[at[0]], rows[at[1]], ...; size is in bytes.")
	Pragma("noescape")
	blocks8("q", func(tile Mem, heads []Mem) { move8(heads, tileRows(tile)) })
}

func scatterTile() {
	TEXT("scatterTile", NOSPLIT, "func(rows, out []float32, at *[16]int, size int)")
	Doc("scatterTile sets the heads whose first number is rows[at[0]], rows[at[1]], ... to out[dim][16]; size is in bytes.")
	Pragma("noescape")
	blocks8("out", func(tile Mem, heads []Mem) { move8(tileRows(tile), heads) })
}

// tileRows are eight rows of a tile from the given one on.
func tileRows(first Mem) []Mem {
	rows := make([]Mem, 8)
	for i := range rows {
		rows[i] = first
		rows[i].Disp += row * i
	}
	return rows
}

// blocks8 calls body with each block's place in the tile and in the rows of heads.
func blocks8(tile string, body func(tile Mem, heads []Mem)) {
	for half, label := range []string{"first", "second"} {
		t, left, at := base(tile), Load(Param("size"), GP64()), Load(Param("at"), GP64())
		heads := make([]Mem, 8)
		for i := range heads {
			head := base("rows")
			offset := GP64()
			MOVQ(Mem{Base: at, Disp: 8 * (8*half + i)}, offset)
			LEAQ(Mem{Base: head, Index: offset, Scale: 4}, head)
			heads[i] = Mem{Base: head}
		}
		Label(label)
		body(Mem{Base: t, Disp: 32 * half}, heads)
		ADDQ(U32(8*row), t)
		for _, m := range heads {
			ADDQ(Imm(32), m.Base)
		}
		SUBQ(Imm(32), left)
		JNZ(LabelRef(label))
	}
	VZEROUPPER()
	RET()
}

// move8 writes the columns of eight rows of eight numbers.
func move8(from, to []Mem) {
	v := make([]reg.VecVirtual, 8)
	for i := range v {
		v[i] = YMM()
		VMOVUPS(from[i], v[i])
	}
	v = pairs(v, 1, func(a, b, lo, hi Op) { VUNPCKLPS(b, a, lo); VUNPCKHPS(b, a, hi) })
	v = pairs(v, 2, func(a, b, lo, hi Op) { VUNPCKLPD(b, a, lo); VUNPCKHPD(b, a, hi) })
	v = pairs(v, 4, func(a, b, lo, hi Op) { VPERM2F128(Imm(0x20), b, a, lo); VPERM2F128(Imm(0x31), b, a, hi) })
	// The unpacking has left the columns in the order of the bits of their number, the lower two swapped.
	for i, column := range []int{0, 2, 1, 3, 4, 6, 5, 7} {
		VMOVUPS(v[i], to[column])
	}
}

// pairs combines each vector with the one that is distance ahead.
func pairs(v []reg.VecVirtual, distance int, combine func(a, b, lo, hi Op)) []reg.VecVirtual {
	next := make([]reg.VecVirtual, len(v))
	for i := range v {
		if i&distance == 0 {
			next[i], next[i+distance] = YMM(), YMM()
			combine(v[i], v[i+distance], next[i], next[i+distance])
		}
	}
	return next
}
