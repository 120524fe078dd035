package simtest

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/invariants"
	"custody/sim"
	"custody/sim/cover"
	"custody/sim/gen"
	"custody/traces"
)

// few is a promise of a user's own: no client gets more than a few tokens.
type few struct{ most int64 }

func (f few) ID() string        { return "few" }
func (f few) Statement() string { return fmt.Sprintf("no client gets more than %d tokens", f.most) }

func (f few) See(_ *invariants.Ledger, e *invariants.Observation, breach func(string)) {
	if e.Kind == invariants.SawSampled && e.A > f.most {
		breach(fmt.Sprintf("a token was sampled for position %d", e.A))
	}
}

func (f few) Reset() {}

func (f few) Audit(*invariants.Ledger, func(string)) {}

// named is a promise that is always kept, of any name.
type named string

func (n named) ID() string                                                    { return string(n) }
func (n named) Statement() string                                             { return "always kept" }
func (n named) Reset()                                                        {}
func (n named) See(*invariants.Ledger, *invariants.Observation, func(string)) {}
func (n named) Audit(*invariants.Ledger, func(string))                        {}

// boom is a promise that panics when it looks.
type boom struct{ named }

func (boom) See(*invariants.Ledger, *invariants.Observation, func(string)) { panic("oh") }

// fakeT stands in for a test that Check fails.
type fakeT struct {
	testing.TB
	failed string
	logged string
}

func (t *fakeT) Helper()                    {}
func (t *fakeT) Name() string               { return "TestMyEngine/small" }
func (t *fakeT) Logf(f string, args ...any) { t.logged += fmt.Sprintf(f, args...) }
func (t *fakeT) Fatal(args ...any) {
	t.failed = fmt.Sprint(args...)
	runtime.Goexit()
}

// run calls f as a test would, and returns what it failed with.
func run(f func(t testing.TB)) *fakeT {
	t, done := &fakeT{}, make(chan bool)
	go func() {
		defer close(done)
		f(t)
	}()
	<-done
	return t
}

func TestCheckKeepsQuietOverACleanEngine(t *testing.T) {
	Check(t, Options{Seeds: 50})
	got := run(func(t testing.TB) { Check(t, Options{Seeds: 20, Profile: "calm"}) })
	require.Empty(t, got.failed)
	require.Contains(t, got.logged, "20 seeds from 1")
}

func TestCheckHandsAFailureBackAsAMinimalScript(t *testing.T) {
	dir := t.TempDir()
	o := Options{Profile: "calm", Dir: dir, Promises: []invariants.Promise{few{most: 8}}}
	got := run(func(t testing.TB) { Check(t, o) })
	lines := strings.Split(got.failed, "\n")
	require.Equal(t, "custody: a token was sampled for position 9", lines[0], "the first line says what happened")
	require.Contains(t, got.failed, `breaks the promise "few": no client gets more than 8 tokens`)
	require.Contains(t, got.failed, "minimal script (1 lines")
	require.Regexp(t, `^next: go test -run '\^TestMyEngine\$/\^small\$' -custody\.seed=\d+$`,
		lines[len(lines)-1], "the last line is the command to type")
	files, err := filepath.Glob(filepath.Join(dir, "TestMyEngine-small-few-*.trace"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	text, err := os.ReadFile(files[0])
	require.NoError(t, err)
	require.ErrorContains(t, CheckText(files[0], string(text), o), `it breaks the promise "few"`)
	require.NoError(t, CheckText(files[0], string(text), Options{}), "without the promise, the script passes")
}

func TestCheckTakesAConfigurationOfTheUsers(t *testing.T) {
	seen := 0
	Check(t, Options{Seeds: 5, Config: func(c *traces.Config) { c[traces.Depth] = 2; seen++ }})
	require.Equal(t, 5, seen)
}

func TestCheckSaysWhatIsWrongWithItsInput(t *testing.T) {
	for name, c := range map[string]struct {
		options Options
		env     [2]string
		want    string
	}{
		"unknown profile": {Options{Profile: "storm"}, [2]string{},
			`custody: unknown profile "storm" (known: swarm, calm, mismatch, layout, long)`},
		"a setting out of range": {
			Options{Config: func(c *traces.Config) { c[traces.Budget] = 0 }}, [2]string{},
			"custody: Config: budget=0 is out of range (1 to 65536)",
		},
		"a negative setting": {
			Options{Config: func(c *traces.Config) { c[traces.Rows] = -1 }}, [2]string{},
			"custody: Config: rows=-1 is out of range (1 to 64)",
		},
		"no seeds": {Options{Seeds: -5}, [2]string{}, "custody: there are no -5 seeds from 1"},
		"past the last seed": {Options{Seed: math.MaxUint64, Seeds: 3}, [2]string{},
			"custody: there are no 3 seeds from 18446744073709551615"},
		"no promise": {Options{Promises: []invariants.Promise{nil}}, [2]string{}, "custody: promise 0 is nil"},
		"a built-in's name": {Options{Promises: []invariants.Promise{named("tenant")}}, [2]string{},
			`custody: promise id "tenant" is taken`},
		"one name for two": {Options{Promises: []invariants.Promise{named("a"), named("a")}}, [2]string{},
			`custody: promise id "a" is taken`},
		"a name that is a path": {Options{Promises: []invariants.Promise{named("../x")}}, [2]string{},
			`custody: promise id "../x": expected lower-case letters, digits, _ and -`},
		"seed is no number": {Options{}, [2]string{"CUSTODY_SEED", "x"}, `custody: CUSTODY_SEED is "x", expected a number`},
		"seeds is not from 1": {Options{}, [2]string{"CUSTODY_SEEDS", "0"},
			`custody: CUSTODY_SEEDS is "0", expected a number from 1`},
	} {
		t.Run(name, func(t *testing.T) {
			if c.env[0] != "" {
				t.Setenv(c.env[0], c.env[1])
			}
			require.Equal(t, c.want, run(func(t testing.TB) { Check(t, c.options) }).failed)
		})
	}
}

func TestTheLastSeedThereIsCanBeRun(t *testing.T) {
	t.Setenv("CUSTODY_SEED", "18446744073709551615")
	got := run(func(t testing.TB) { Check(t, Options{}) })
	require.Empty(t, got.failed)
	require.Contains(t, got.logged, "1 seeds from 18446744073709551615")
}

// A promise of the user's that panics is broken itself; the engine is not to blame, and the run goes on.
func TestAPromiseThatPanicsIsBrokenItself(t *testing.T) {
	s, r, err := gen.Generate(1, gen.Profiles[0], sim.ExecuteOptions{Promises: []invariants.Promise{boom{"boom"}}})
	require.NoError(t, err)
	require.Len(t, r.Breaches, 1)
	require.Equal(t, "boom", r.PromiseName(&r.Breaches[0]))
	require.Equal(t, "the promise panicked: oh", r.Message(0))
	without, err := sim.Execute(s, sim.ExecuteOptions{})
	require.NoError(t, err)
	require.Equal(t, without.Digest, r.Digest)
}

func TestAFolderThatIsNotThereIsNoSetOfScriptsThatPass(t *testing.T) {
	require.Error(t, checkFolder("no-such-folder"))
	require.NoError(t, checkFolder("../testdata"))
}

// The command to type next runs the subtest of exactly this name.
func TestThePatternOfATestMatchesItsNameAsItStands(t *testing.T) {
	require.Equal(t, `^TestSub$/^a\+b_\(x\)$`, runPattern("TestSub/a+b_(x)"))
}

// A second fault does not replace the first: both requests are struck.
func TestTwoAllocationFaultsBothStrike(t *testing.T) {
	s, err := traces.Parse("x.trace", "submit r1 tenant=amber prompt=\"one\"\nsubmit r2 tenant=amber prompt=\"two\"\n"+
		"fail alloc r1 block=0\nfail alloc r2 block=0\nfail alloc r2 block=5\ndrain\n")
	require.NoError(t, err)
	seen := &cover.Recorder{}
	r, err := sim.Execute(s, sim.ExecuteOptions{Watch: []sim.Watcher{seen}})
	require.NoError(t, err)
	require.True(t, r.OK())
	require.Equal(t, int64(2), seen.Coverage().Faults[traces.FailAlloc])
	require.Equal(t, []bool{false, false, false, false, true, false}, r.Noop, "the third never strikes")
}

func TestTheEnvironmentChoosesSeeds(t *testing.T) {
	t.Setenv("CUSTODY_SEEDS", "7")
	require.Contains(t, run(func(t testing.TB) { Check(t, Options{}) }).logged, "7 seeds from 1")
	t.Setenv("CUSTODY_SEED", "42")
	require.Contains(t, run(func(t testing.TB) { Check(t, Options{}) }).logged, "1 seeds from 42")
}

func TestScriptsInTestdata(t *testing.T) { CheckScripts(t, "../testdata", Options{}) }

func TestCheckTextSaysHowAScriptDiffersFromWhatItExpects(t *testing.T) {
	const submit = "submit r1 tenant=amber prompt=\"hello\" max=2\ndrain\n"
	for name, c := range map[string]struct{ text, want string }{
		"kept, as expected": {submit + "expect ok\n", ""},
		"kept, although it violates": {submit + "expect violates tenant\n",
			`it was expected to break the promise "tenant" and does not`},
		"another digest": {submit + "> digest 00000000000000000000000000000000\n",
			"the file says 00000000000000000000000000000000"},
		"no script": {"submti r1\n", "x.trace:1:"},
	} {
		t.Run(name, func(t *testing.T) {
			err := CheckText("x.trace", c.text, Options{})
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.want)
		})
	}
}
