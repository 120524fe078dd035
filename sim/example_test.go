package sim_test

import (
	"testing"

	"custody/sim"
	"custody/traces"
)

// Two hundred seeds of everything the generator can draw; a failing one comes back as a minimal script.
func TestNoSeedBreaksAPromise(t *testing.T) {
	sim.Check(t, sim.Options{})
}

// The same with settings of your own.
func TestTwoPassesOutstanding(t *testing.T) {
	sim.Check(t, sim.Options{Seeds: 100, Config: func(c *traces.Config) { c[traces.Depth] = 2 }})
}

// Every script that ever failed, and every scenario written by hand.
func TestScripts(t *testing.T) {
	sim.CheckScripts(t, "testdata")
}
