package museum

import (
	"testing"

	"github.com/stretchr/testify/require"

	"custody/invariants"
)

// seedsOfControl is how many seeds a correct variant must survive.
const seedsOfControl = 5000

// The other half of "guilty until proven useful": a checker that cries at correct engines is no better than a silent one.
func TestCorrectVariantsThatLookWrongBreakNothingAndTheirCanariesAreCaught(t *testing.T) {
	controls := opened(t).Controls
	require.GreaterOrEqual(t, len(controls), 3)
	e := engines(t)
	for _, c := range controls {
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			s, err := c.Measure(e, seedsOfControl)
			require.NoError(t, err)
			require.Zero(t, s.Broken, "seed %d breaks %s", s.Broken, s.Promise)
			require.NotZero(t, s.Canary, "the control's own code does not run, or nobody watches it")
			t.Logf("canary caught at seed %d", s.Canary)
		})
	}
}

func TestAControlLooksAsIfItBrokeAPromise(t *testing.T) {
	controls := opened(t).Controls
	names := map[string]bool{}
	for _, s := range invariants.Statements {
		names[s.Name] = true
	}
	for _, c := range controls {
		require.True(t, names[c.Looks], "%s looks as if it broke %s, which is no promise", c.ID, c.Looks)
	}
}

func TestAControlSaysWhatItLacks(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"no story":  {"-- control --\nlooks: row\nsource: s\n", "a story, looks or source is missing"},
		"no canary": {"story\n-- control --\nlooks: row\nsource: s\n-- edit f.go f --\n-a\n+b\n", "it needs an edit and a canary"},
		"a key":     {"story\n-- control --\npromise: row\n", "expected one of looks, set, source"},
		"dashes":    {"story\n-- control --\nlooks: row\n-- --\n", "expected one of looks, set, source"},
		"a section": {"story\n-- script.trace --\n", "unknown section"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parseControl("x.txt", []byte(c.text))
			require.ErrorContains(t, err, c.want)
		})
	}
}
