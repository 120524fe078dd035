package slots

import (
	"testing"

	"custody/sim/engine"
	"custody/sim/simtest"
)

func newEngine() engine.Engine { return &Engine{} }

// Two hundred seeds: configurations, requests and faults drawn against this engine.
func TestNoSeedBreaksAPromise(t *testing.T) {
	simtest.Check(t, simtest.Options{Engine: newEngine})
}

// Scenarios written by hand, and every script that ever failed.
func TestScripts(t *testing.T) {
	simtest.CheckScripts(t, "testdata", simtest.Options{Engine: newEngine})
}
