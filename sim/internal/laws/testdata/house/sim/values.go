package sim

type Kind uint8

const (
	KindA Kind = iota
	kindB      // want "value kindB of the exported type Kind"
	_
	numKinds
)

type own int

const (
	ownA own = iota
	ownB
)

type Time int64

const tick Time = 10 // a constant, and no value of an enumeration

const (
	rest = iota
	more
)
