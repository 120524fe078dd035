package sim

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"custody/invariants"
	"custody/traces"
)

// This file meets package testing: flags, the environment and testdata. Nothing else in sim does.

var (
	seedFlag  = flag.Uint64("custody.seed", 0, "run only this seed (or CUSTODY_SEED)")
	seedsFlag = flag.Int("custody.seeds", 0, "run this many seeds (or CUSTODY_SEEDS)")
)

// Options of Check. The zero value runs 200 seeds of the default profile.
type Options struct {
	Profile  string               // name of a profile; "" is the default
	Seed     uint64               // the first seed; 0 is 1
	Seeds    int                  // how many; 0 is 200
	Config   func(*traces.Config) // settings of your own, made over what is drawn; may be nil
	Promises []invariants.Promise // promises of your own, checked beside the built-in ones
	Budget   int                  // executions that the shrinker may spend; 0 is its default
	Dir      string               // where failing scripts are written; "" is testdata
}

// Check runs seeds and fails the test at the first that breaks a promise: it prints the seed, the promise, a minimal
// script and the command to type next, and writes the script where CheckScripts will find it. Flags (-custody.seed,
// -custody.seeds) or the environment (CUSTODY_SEED, CUSTODY_SEEDS) override the options.
func Check(t testing.TB, o Options) {
	t.Helper()
	profile, err := o.profile()
	if err != nil {
		t.Fatal(err)
	}
	first, n, err := o.seeds()
	if err != nil {
		t.Fatal(err)
	}
	var sum Summary
	for seed := first; seed < first+uint64(n); seed++ {
		script, res := Generate(seed, profile, ExecuteOptions{Promises: o.Promises})
		sum.Add(res)
		if !res.OK() {
			t.Fatal(o.report(t, seed, script, res))
		}
	}
	t.Logf("custody: %d seeds from %d, %d steps, digest %s", sum.Seeds, first, sum.Work.Steps, sum.Digest)
}

func (o *Options) profile() (Profile, error) {
	p := Profiles[0]
	if o.Profile != "" {
		var ok bool
		if p, ok = FindProfile(o.Profile); !ok {
			return p, fmt.Errorf("custody: unknown profile %q (known: %s)", o.Profile, profileNames())
		}
	}
	p.Configure = o.Config
	return p, nil
}

func profileNames() string {
	var names []string
	for _, p := range Profiles {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}

// seeds is the first seed and their number: from flags, else the environment, else the options.
func (o *Options) seeds() (first uint64, n int, err error) {
	first, n = max(o.Seed, 1), o.Seeds
	if n == 0 {
		n = 200
	}
	if v := os.Getenv("CUSTODY_SEEDS"); v != "" {
		if n, err = strconv.Atoi(v); err != nil || n < 1 {
			return 0, 0, fmt.Errorf("custody: CUSTODY_SEEDS is %q, expected a number from 1", v)
		}
	}
	if v := os.Getenv("CUSTODY_SEED"); v != "" {
		if first, err = strconv.ParseUint(v, 10, 64); err != nil {
			return 0, 0, fmt.Errorf("custody: CUSTODY_SEED is %q, expected a number", v)
		}
		n = 1
	}
	if *seedsFlag > 0 {
		n = *seedsFlag
	}
	if *seedFlag > 0 {
		first, n = *seedFlag, 1
	}
	return first, n, nil
}

// report shrinks a failing script, writes it down, and says all that a person needs.
func (o *Options) report(t testing.TB, seed uint64, s *traces.Script, r *Result) string {
	min := Shrink(s, r, 0, traces.ShrinkOptions{Budget: o.Budget})
	if min.Script == nil { // a promise of the user's that does not say the same twice
		min.Script = s.Clone()
	}
	told := Execute(min.Script, ExecuteOptions{Promises: o.Promises, Narrate: true})
	promise := r.PromiseName(&r.Breaches[0])
	min.Script.Expect = traces.Expect{Set: true}
	file, err := o.write(t.Name(), promise, seed, min.Script)
	var b strings.Builder
	fmt.Fprintf(&b, "custody: %s\n", told.headline(promise))
	fmt.Fprintf(&b, "seed %d breaks the promise %q: %s\n", seed, promise, o.sentence(&r.Breaches[0]))
	fmt.Fprintf(&b, "minimal script (%d lines, after %d executions):\n\n%s\n", min.Script.Size(), min.Executions, indent(min.Script.String()))
	if err != nil {
		fmt.Fprintf(&b, "the script could not be written: %v\n", err)
	} else {
		fmt.Fprintf(&b, "written to %s, where sim.CheckScripts runs it from now on\n", file)
	}
	fmt.Fprintf(&b, "next: go test -run '%s' -custody.seed=%d", runPattern(t.Name()), seed)
	return b.String()
}

// runPattern is the -run pattern of a test: each of its parts as a whole.
func runPattern(name string) string {
	return "^" + strings.ReplaceAll(name, "/", "$/^") + "$"
}

// headline is the message of the first breach of a promise.
func (r *Result) headline(promise string) string {
	for i := range r.Breaches {
		if r.PromiseName(&r.Breaches[i]) == promise {
			return r.Message(i)
		}
	}
	return promise + " is broken"
}

func (o *Options) sentence(b *invariants.Breach) string {
	if b.Extra > 0 {
		return o.Promises[b.Extra-1].Statement()
	}
	return invariants.Statements[b.Promise].Sentence
}

func (o *Options) write(test, promise string, seed uint64, s *traces.Script) (string, error) {
	dir := o.Dir
	if dir == "" {
		dir = "testdata"
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	name := strings.NewReplacer("/", "-", " ", "-").Replace(test)
	file := filepath.Join(dir, fmt.Sprintf("%s-%s-%d.trace", name, promise, seed))
	return file, os.WriteFile(file, []byte(s.String()), 0o644)
}

func indent(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n    ") + "\n"
}

// CheckScripts executes every .trace file of a directory, each as a subtest. A script that ends in `expect violates`
// must break that promise; every other script must keep them all. A digest in the file must be the run's.
func CheckScripts(t *testing.T, dir string, promises ...invariants.Promise) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.trace"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Logf("custody: no .trace files in %s", dir)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".trace"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := CheckText(file, string(text), promises...); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// CheckText executes the text of one script and says how it differs from what it expects.
func CheckText(file, text string, promises ...invariants.Promise) error {
	trace, err := traces.ParseTrace(file, text)
	if err != nil {
		return err
	}
	if err := Runnable(file, trace.Script); err != nil {
		return err
	}
	r := Execute(trace.Script, ExecuteOptions{Promises: promises, Narrate: true})
	if err := r.Meets(trace.Script.Expect); err != nil {
		return fmt.Errorf("%s: %w\nnext: custody replay %s", file, err, file)
	}
	if trace.Digest != "" && trace.Digest != r.Digest.String() {
		return fmt.Errorf("%s: the digest is %s, the file says %s\nnext: custody replay %s", file, r.Digest, trace.Digest, file)
	}
	return nil
}

// Meets tells whether a result is what a script expects; a script that says nothing expects that all promises are kept.
func (r *Result) Meets(want traces.Expect) error {
	if want.Promise == "" {
		if r.OK() {
			return nil
		}
		return fmt.Errorf("%s\nit breaks the promise %q", r.Message(0), r.PromiseName(&r.Breaches[0]))
	}
	for i := range r.Breaches {
		b := &r.Breaches[i]
		if r.PromiseName(b) != want.Promise {
			continue
		}
		if names := r.names(i); want.By != "" && (len(names) == 0 || names[0] != want.By) {
			return fmt.Errorf("it breaks %q by %v, expected by %s", want.Promise, names, want.By)
		}
		return nil
	}
	return fmt.Errorf("it was expected to break the promise %q and does not", want.Promise)
}
