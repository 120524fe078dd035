// Package draw lets a property test of pgregory.net/rapid draw Custody's scripts.
//
//	rapid.T ──choices──▶ sim's generator ──▶ script ──▶ your property
//
// The generator looks at the world while it draws ("cancel something that is decoding"), so a script cannot be put
// together from generators of its parts, and a seed that rapid draws would not shrink. Instead rapid makes every single
// choice of sim's own generator: it then shrinks choices (fewer events, smaller numbers), and what it tries is always a
// script that the generator can draw. sim.Shrink makes a failing script smaller still, and in fewer executions.
package draw

import (
	"pgregory.net/rapid"

	"custody/sim"
	"custody/sim/gen"
	"custody/traces"
)

// Script draws a script of a profile, which ends with a drain.
func Script(t *rapid.T, p gen.Profile) *traces.Script {
	return rapid.Custom(func(t *rapid.T) drawn {
		s, _, err := gen.From(&choices{t}, p, sim.ExecuteOptions{})
		if err != nil {
			t.Skip(err) // a world that cannot be run is no script
		}
		return drawn{s}
	}).Draw(t, "script").Script
}

// drawn is what rapid prints of a failing case.
type drawn struct{ *traces.Script }

func (d drawn) GoString() string { return "\n" + d.String() }

// choices makes a generator's choices from what rapid draws.
type choices struct{ t *rapid.T }

func (c *choices) IntN(n int) int { return rapid.IntRange(0, n-1).Draw(c.t, "choice") }

// Chance is false for the small numbers to which rapid shrinks: what happens seldom goes first.
func (c *choices) Chance(percent int) bool { return c.IntN(100) >= 100-percent }

// Repeat draws before each turn whether it is the last. Turn and answer are one group of draws, so that rapid can take
// out any turn; a number drawn at the start would only let it cut the end.
func (c *choices) Repeat(most int, next func() bool) {
	outer := c.t
	defer func() { c.t = outer }()
	turn := rapid.Custom(func(t *rapid.T) bool {
		c.t = t
		return !c.last() && next()
	})
	for n := 0; n < most && turn.Draw(outer, "event"); n++ {
	}
}

// last is true about once in a hundred times: rapid draws 0 in one of ten.
func (c *choices) last() bool {
	if c.IntN(1000) > 0 {
		return false
	}
	return c.IntN(1000) == 0
}
