package gen

import "math/rand/v2"

// Choices are what a generator asks for when it draws. A seed makes them, or whoever can make them again smaller, such
// as a library for property tests. Zero and false are the simplest answers. The same answers give the same script.
type Choices interface {
	IntN(n int) int          // a number of [0,n); n is at least 1
	Chance(percent int) bool // true in so many of a hundred cases
	// Repeat calls next some times, at most so often, and no more once it has returned false.
	Repeat(most int, next func() bool)
}

// seeded makes the choices of a seed.
type seeded struct{ *rand.Rand }

func (s seeded) Chance(percent int) bool { return s.IntN(100) < percent }

// Repeat repeats at least a third of the most times.
func (s seeded) Repeat(most int, next func() bool) {
	for n := most/3 + s.IntN(most*2/3+1); n > 0 && next(); n-- {
	}
}
