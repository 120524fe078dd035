package draw_test

import (
	"testing"

	"pgregory.net/rapid"

	"custody/sim"
	"custody/sim/draw"
	"custody/sim/gen"
	"custody/traces"
)

// A property of your own over scripts, here that no promise breaks. A failing script comes back shrunk by rapid.
func TestNoDrawnScriptBreaksAPromise(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		script := draw.Script(t, gen.Profiles[0])
		r, err := sim.Execute(script, sim.ExecuteOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if !r.OK() {
			t.Fatal(r.Message(0))
		}
	})
}

// The same for Go's fuzzer, to which every text is a script: go test -fuzz FuzzScripts -fuzzminimizetime 1x
func FuzzScripts(f *testing.F) {
	f.Add("submit r1 tenant=amber prompt=\"hello\" max=3\nrun 4\nsubmit r2 tenant=teal prompt=\"hello\"\ncancel r1\ndrain\n")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := sim.Execute(traces.ParseAny(text), sim.ExecuteOptions{})
		if err != nil {
			t.Skip(err) // it asks for more memory than a simulation may have
		}
		if !r.OK() {
			t.Fatal(r.Message(0))
		}
	})
}
