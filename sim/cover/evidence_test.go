package cover

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/invariants"
	"custody/sim"
	"custody/traces"
)

// exercised is a coverage of the given faults.
func exercised(kinds ...traces.Verb) *Coverage {
	c := &Coverage{}
	for _, k := range kinds {
		c.Faults[k] = 5
	}
	return c
}

// kept is the result of a run that kept every promise.
var kept = &sim.Result{}

func TestTheBoundAndTheChanceOfSomethingNewFollowTheirFormulas(t *testing.T) {
	var s Summary
	require.Equal(t, 1.0, s.FailureBound(), "no seed says nothing")
	require.Equal(t, 1.0, s.NewCellChance())
	for range 8 {
		s.Add(kept, exercised(traces.Delay))
	}
	s.Add(kept, exercised(traces.Delay, traces.FailPass))
	s.Add(kept, exercised(traces.Delay, traces.FailCopy))
	require.InDelta(t, 0.3, s.FailureBound(), 1e-12, "3/10")
	require.InDelta(t, 0.2, s.NewCellChance(), 1e-12, "two cells of ten seeds were seen once")
	s.Add(kept, exercised(traces.FailPass))
	require.InDelta(t, 1.0/11, s.NewCellChance(), 1e-12)
	s.Violations++
	require.Equal(t, 1.0, s.FailureBound(), "the rule of three is about campaigns that found nothing")
}

// count sets every number of a value to n.
func count(v reflect.Value, n int64) {
	switch v.Kind() {
	case reflect.Int64:
		v.SetInt(n)
	case reflect.Array:
		for i := range v.Len() {
			count(v.Index(i), n)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			count(v.Field(i), n)
		}
	}
}

func TestCoveredMeansThatNothingWasLeftOut(t *testing.T) {
	var none Summary
	require.False(t, none.Covered(), "no seed covers nothing")

	all, seen := sim.Result{}, Coverage{}
	count(reflect.ValueOf(&seen).Elem(), 1)
	count(reflect.ValueOf(&all.Checks).Elem(), 1)
	part, less := all, seen
	less.Marks[invariants.GaveWay] = 0
	part.Checks[invariants.Solo] = 0
	var s Summary
	s.Add(&part, &less)
	require.False(t, s.Covered())
	require.Equal(t, []string{"mark: gave-way"}, s.Coverage.Missing())
	reached, of := s.Reached()
	require.Equal(t, 2, of-reached, "a mark and a promise")
	rest, mark := sim.Result{}, Coverage{}
	mark.Marks[invariants.GaveWay] = 1
	s.Add(&rest, &mark)
	require.False(t, s.Covered(), "solo was never checked")
	rest.Checks[invariants.Solo] = 1
	s.Add(&rest, &mark)
	require.True(t, s.Covered())
}
