package sim

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/invariants"
	"custody/traces"
)

// exercised is a result that exercised the given faults.
func exercised(kinds ...traces.Verb) *Result {
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

	all := &Result{}
	count(reflect.ValueOf(&all.Coverage).Elem(), 1)
	count(reflect.ValueOf(&all.Checks).Elem(), 1)
	part := *all
	part.Coverage.Marks[invariants.GaveWay] = 0
	part.Checks[invariants.Solo] = 0

	var s Summary
	s.Add(&part)
	require.False(t, s.Covered())
	require.Equal(t, []string{"mark: gave-way"}, s.Coverage.Missing())
	reached, of := s.Reached()
	require.Equal(t, 2, of-reached, "a mark and a promise")

	rest := Result{}
	rest.Coverage.Marks[invariants.GaveWay] = 1
	s.Add(&rest)
	require.False(t, s.Covered(), "solo was never checked")
	rest.Checks[invariants.Solo] = 1
	s.Add(&rest)
	require.True(t, s.Covered())
}
