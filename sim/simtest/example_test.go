package simtest_test

import (
	"testing"

	"custody/sim/simtest"
	"custody/traces"
)

// Two hundred seeds of everything the generator can draw; a failing one comes back as a minimal script.
func TestNoSeedBreaksAPromise(t *testing.T) {
	simtest.Check(t, simtest.Options{})
}

// The same with settings of your own.
func TestTwoPassesOutstanding(t *testing.T) {
	simtest.Check(t, simtest.Options{Seeds: 100, Config: func(c *traces.Config) { c[traces.Depth] = 2 }})
}

// Every script that ever failed, and every scenario written by hand.
func TestScripts(t *testing.T) {
	simtest.CheckScripts(t, "testdata", simtest.Options{})
}
