package cover

import (
	"testing"

	"github.com/stretchr/testify/require"

	"custody/scheduler/protocol"
	"custody/sim"
)

// The recorder is told all that it has an answer to: it counts, or asks a world, which is not there.
func TestTheRecorderHearsAllThatItMinds(t *testing.T) {
	f := sim.Fact{
		Plan: &protocol.Plan{Rows: make([]protocol.Row, 1)}, Operation: &sim.Operation{Lost: true},
		Refused: make([]protocol.Refusal, 1), Why: protocol.Stopped, Before: -1, Late: true,
	}
	for k := range sim.Begun { // what is told by Saw
		f.Kind = k
		minds := func() (yes bool) {
			var r Recorder
			defer func() { yes = recover() != nil || r.seen != Coverage{} }()
			r.Saw(&f)
			return false
		}
		require.Equal(t, (&Recorder{}).Hears(k), minds(), "fact %d", k)
	}
}
