package scheduler // want "package scheduler of 31 exported names"

import "planted/cache"

const (
	A = iota // a group is one name
	B
	C
)

type T struct{} // with what belongs to it, one name

func NewT() T { return T{} }

func (T) M() {}

func F0()  {}
func F1()  {}
func F2()  {}
func F3()  {}
func F4()  {}
func F5()  {}
func F6()  {}
func F7()  {}
func F8()  {}
func F9()  {}
func F10() {}
func F11() {}
func F12() {}
func F13() {}
func F14() {}
func F15() {}
func F16() {}
func F17() {}
func F18() {}
func F19() {}
func F20() {}
func F21() {}
func F22() {}
func F23() {}
func F24() {}
func F25() {}
func F26() {}
func F27() {}
func F28() {}

func hidden() { _ = cache.X }
