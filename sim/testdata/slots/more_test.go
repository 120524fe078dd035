package slots

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"custody/invariants"
	"custody/scheduler/protocol"
	"custody/sim"
	"custody/sim/engine"
	"custody/sim/gen"
	"custody/sim/simtest"
	"custody/traces"
)

func TestNoSeedOfAnyProfileBreaksAPromise(t *testing.T) {
	for _, p := range gen.Profiles {
		t.Run(p.Name, func(t *testing.T) {
			simtest.Check(t, simtest.Options{Profile: p.Name, Seeds: 500, Engine: newEngine})
		})
	}
}

func TestASettingOfTheEngineStandsInItsScripts(t *testing.T) {
	simtest.Check(t, simtest.Options{
		Seeds: 50, Engine: newEngine, Settings: []traces.Setting{{Key: "batch", Value: "1"}},
	})
	_, err := execute(t, "engine slots batch=none\ndrain\n", newEngine)
	if err == nil || err.Error() != "slots: batch=none: expected a number from 1" {
		t.Error(err)
	}
}

// What the engine does not show is not counted, and is said not to be.
func TestWhatIsNotShownIsNotCounted(t *testing.T) {
	r, err := execute(t, "submit r1 tenant=amber prompt=\"hello\" max=4\ndrain\n", newEngine)
	if err != nil || !r.OK() {
		t.Fatal(err, r)
	}
	for id := range r.Checks {
		switch id := invariants.ID(id); id {
		case invariants.Order, invariants.Atomic, invariants.Reuse, invariants.Mirror, invariants.Drain: // not shown
			if r.Checks[id] != 0 {
				t.Errorf("%s is counted", invariants.Statements[id].Name)
			}
		case invariants.Key, invariants.Publish, invariants.Inflight, invariants.Marker: // no prefix cache, one queue, no marker
		default:
			if r.Checks[id] == 0 {
				t.Errorf("%s is not counted", invariants.Statements[id].Name)
			}
		}
	}
	if len(r.Unchecked) != 5 {
		t.Error(r.Unchecked)
	}
}

// The defect comes back as a message and a minimal script; both stand in testdata, and in docs/engine.md.
func TestTheDefectIsFound(t *testing.T) {
	hasty := func() engine.Engine { return &Engine{Hasty: true} }
	dir := t.TempDir()
	got := failure(func(t testing.TB) { simtest.Check(t, simtest.Options{Engine: hasty, Dir: dir}) })
	got = strings.ReplaceAll(got, dir, "testdata")
	same(t, "testdata/hasty.txt", got)
	const name = "TestNoSeedBreaksAPromise-owner-1.trace"
	script, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	same(t, "testdata/"+name, string(script))
	err = simtest.CheckText(name, string(script), simtest.Options{Engine: hasty})
	if err == nil || !strings.Contains(err.Error(), `it breaks the promise "owner"`) {
		t.Error("the minimal script does not fail with the defect:", err)
	}
}

// same compares with a file; with CUSTODY_WRITE set it writes it.
func same(t *testing.T, file, got string) {
	t.Helper()
	if os.Getenv("CUSTODY_WRITE") != "" {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || string(want) != got {
		t.Errorf("%s: %v\n%s", file, err, got)
	}
}

// broken panics when a pass settles.
type broken struct{ *Engine }

func (broken) Settle(*protocol.Result) { panic("oh") }

func TestAnEngineThatPanicsIsNamed(t *testing.T) {
	r, err := execute(t, "submit r1 tenant=amber prompt=1\ndrain\n", func() engine.Engine { return broken{&Engine{}} })
	if err != nil || len(r.Breaches) != 1 || r.Message(0) != "slots.broken.Settle: oh" {
		t.Error(err, r)
	}
}

func execute(t *testing.T, text string, e func() engine.Engine) (*sim.Result, error) {
	t.Helper()
	script, err := traces.Parse("x.trace", text)
	if err != nil {
		t.Fatal(err)
	}
	return sim.Execute(script, sim.ExecuteOptions{Engine: e})
}

// fakeT stands in for a test that fails.
type fakeT struct {
	testing.TB
	failed string
}

func (t *fakeT) Helper()             {}
func (t *fakeT) Name() string        { return "TestNoSeedBreaksAPromise" }
func (t *fakeT) Logf(string, ...any) {}
func (t *fakeT) Fatal(args ...any) {
	t.failed = args[0].(string) + "\n"
	runtime.Goexit()
}

// failure is what a test fails with.
func failure(f func(t testing.TB)) string {
	t, done := &fakeT{}, make(chan bool)
	go func() {
		defer close(done)
		f(t)
	}()
	<-done
	return t.failed
}
