package sim

import (
	"testing"

	"github.com/stretchr/testify/require"

	"custody/traces"
)

// exercised is a result that exercised the given faults.
func exercised(kinds ...traces.Kind) *Result {
	r := &Result{}
	for _, k := range kinds {
		r.Coverage.Faults[k] = 5
	}
	return r
}

func TestTheBoundAndTheChanceOfSomethingNewFollowTheirFormulas(t *testing.T) {
	var s Summary
	require.Equal(t, 1.0, s.FailureBound(), "no seed says nothing")
	require.Equal(t, 1.0, s.NewCellChance())
	for range 8 {
		s.Add(exercised(traces.Delay))
	}
	s.Add(exercised(traces.Delay, traces.FailPass))
	s.Add(exercised(traces.Delay, traces.FailCopy))
	require.InDelta(t, 0.3, s.FailureBound(), 1e-12, "3/10")
	require.InDelta(t, 0.2, s.NewCellChance(), 1e-12, "two cells of ten seeds were seen once")
	s.Add(exercised(traces.FailPass))
	require.InDelta(t, 1.0/11, s.NewCellChance(), 1e-12)
	s.Violations++
	require.Equal(t, 1.0, s.FailureBound(), "the rule of three is about campaigns that found nothing")
}
