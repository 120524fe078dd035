package draw_test

import (
	"flag"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"custody/sim"
	"custody/sim/draw"
	"custody/sim/gen"
	"custody/traces"
)

// rapid's own shrinking takes out events: of a script that fails because of one event, at most that and two more remain.
func TestRapidShrinksAScript(t *testing.T) {
	set(t, "rapid.nofailfile", "true")
	set(t, "rapid.seed", "1")
	set(t, "rapid.shrinktime", "20s")
	var first, last *traces.Script
	failing(t, func(rt *rapid.T) {
		s := draw.Script(rt, gen.Profiles[0])
		if slices.ContainsFunc(s.Events, func(e traces.Event) bool { return e.Verb == traces.Preempt }) {
			if last = s; first == nil {
				first = s
			}
			rt.Fatal("there is a preemption")
		}
	})
	require.Greater(t, first.Size(), 5)
	require.LessOrEqual(t, last.Size(), 3, last.String())
}

// Scripts are of a useful length, and never longer than the profile's.
func TestScriptsAreAsLongAsTheProfileSays(t *testing.T) {
	p, events, runs := gen.Profiles[0], 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		n := draw.Script(rt, p).Size()
		require.LessOrEqual(t, n, p.Events)
		events, runs = events+n, runs+1
	})
	require.Greater(t, events/runs, p.Events/3)
}

// What is drawn is whole, can be executed, and breaks nothing.
func TestADrawnScriptIsWholeAndKeepsEveryPromise(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := draw.Script(rt, gen.Profiles[0])
		require.Equal(t, traces.Drain, s.Events[len(s.Events)-1].Verb)
		r, err := sim.Execute(s, sim.ExecuteOptions{})
		require.NoError(t, err)
		require.True(t, r.OK())
	})
}

func set(t *testing.T, name, value string) {
	was := flag.Lookup(name).Value.String()
	require.NoError(t, flag.Set(name, value))
	t.Cleanup(func() { require.NoError(t, flag.Set(name, was)) })
}

// failing checks a property that must fail, without failing the test.
func failing(t *testing.T, property func(*rapid.T)) {
	r := &recorder{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		rapid.Check(r, property)
	}()
	<-done
	require.True(t, r.failed)
}

// recorder keeps to itself what a check says.
type recorder struct {
	testing.TB
	failed bool
}

func (r *recorder) Logf(string, ...any)   {}
func (r *recorder) Log(...any)            {}
func (r *recorder) Errorf(string, ...any) { r.failed = true }
func (r *recorder) Error(...any)          { r.failed = true }
func (r *recorder) Fail()                 { r.failed = true }
func (r *recorder) Failed() bool          { return r.failed }
func (r *recorder) Fatal(...any)          { r.FailNow() }
func (r *recorder) Fatalf(string, ...any) { r.FailNow() }
func (r *recorder) FailNow() {
	r.failed = true
	runtime.Goexit()
}
