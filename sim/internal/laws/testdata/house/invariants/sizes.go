package invariants

type wide struct{ f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19 int }

type wider struct { // want "type wider of 21 fields"
	f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19 int
	wide
}

type list[T any] struct{ of []T } // want "type list of 41 methods"

func (*list[T]) m0()  {}
func (*list[T]) m1()  {}
func (*list[T]) m2()  {}
func (*list[T]) m3()  {}
func (*list[T]) m4()  {}
func (*list[T]) m5()  {}
func (*list[T]) m6()  {}
func (*list[T]) m7()  {}
func (*list[T]) m8()  {}
func (*list[T]) m9()  {}
func (*list[T]) m10() {}
func (*list[T]) m11() {}
func (*list[T]) m12() {}
func (*list[T]) m13() {}
func (*list[T]) m14() {}
func (*list[T]) m15() {}
func (*list[T]) m16() {}
func (*list[T]) m17() {}
func (*list[T]) m18() {}
func (*list[T]) m19() {}
func (*list[T]) m20() {}
func (*list[T]) m21() {}
func (*list[T]) m22() {}
func (*list[T]) m23() {}
func (*list[T]) m24() {}
func (*list[T]) m25() {}
func (*list[T]) m26() {}
func (*list[T]) m27() {}
func (*list[T]) m28() {}
func (*list[T]) m29() {}
func (*list[T]) m30() {}
func (*list[T]) m31() {}
func (*list[T]) m32() {}
func (*list[T]) m33() {}
func (*list[T]) m34() {}
func (*list[T]) m35() {}
func (*list[T]) m36() {}
func (*list[T]) m37() {}
func (*list[T]) m38() {}
func (*list[T]) m39() {}
func (*list[T]) m40() {}

type asked interface{ m() }

// xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
// xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx // want "a line of"

func short() int {
	n := 0
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	return n
}

func tall() int { // want "function tall of 51 lines"
	n := 0
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	return n
}
