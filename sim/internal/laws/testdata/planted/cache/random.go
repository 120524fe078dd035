package cache

import (
	_ "crypto/rand" // want "import of crypto/rand"
	"hash/maphash"  // want "import of hash/maphash"
	old "math/rand"
	"math/rand/v2"
)

var dice = rand.New(rand.NewPCG(1, 2)) // want "package variable dice, changed by every draw"

func draw() (int, float64) {
	_ = maphash.MakeSeed()
	rand.Shuffle(3, func(int, int) {}) // want "rand.Shuffle"
	_ = rand.N(10)                     // want "rand.N"
	pick := old.Intn                   // want "rand.Intn"
	z := old.NewZipf(nil, 2, 1, 9)     // want "rand.NewZipf"
	_ = z
	return pick(6) + rand.IntN(6), dice.NormFloat64() // want "rand.IntN" "rand.Rand.NormFloat64"
}
