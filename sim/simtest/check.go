// Package simtest meets package testing: Check runs seeds and hands a failing one back as a minimal script, CheckScripts
// runs the scripts that stand in a folder.
package simtest

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"custody/invariants"
	"custody/sim"
	"custody/sim/cover"
	"custody/sim/engine"
	"custody/sim/explain"
	"custody/sim/gen"
	"custody/traces"
	"custody/traces/shrink"
)

var (
	seedFlag  = flag.String("custody.seed", "", "run only this seed (or CUSTODY_SEED)")
	seedsFlag = flag.String("custody.seeds", "", "run this many seeds (or CUSTODY_SEEDS)")
)

// Options of Check. The zero value runs 200 seeds of the default profile.
type Options struct {
	Profile  string                                 // name of a profile; "" is the default
	Seed     uint64                                 // the first seed; 0 is 1
	Seeds    int                                    // how many; 0 is 200
	Config   func(*traces.Config)                   // settings of your own, made over what is drawn; may be nil
	Promises []invariants.Promise                   // promises of your own, checked beside the built-in ones
	Engine   func() engine.Engine                   // the engine under test; nil is Custody's own
	Settings []traces.Setting                       // of that engine, for the engine line of its scripts
	Worker   func(engine.WorkerSetup) engine.Worker // who carries out its plans; nil is Custody's own
	Budget   int                                    // executions that the shrinker may spend; 0 is its default
	Dir      string                                 // where failing scripts are written; "" is testdata
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
	if err := o.usable(); err != nil {
		t.Fatal(err)
	}
	profile.Configure, profile.Settings = o.sane(&err), o.Settings
	var sum cover.Summary
	seen := &cover.Recorder{}
	for i := range n {
		seed := first + uint64(i)
		script, res, cannot := gen.Generate(seed, profile, o.execute(seen))
		if err = cmp.Or(err, cannot); err != nil {
			t.Fatal(err)
		}
		sum.Add(res, seen.Coverage())
		if !res.OK() {
			t.Fatal(o.report(t, seed, script, res))
		}
	}
	t.Logf("custody: %d seeds from %d, %d steps, digest %s%s", sum.Seeds, first, sum.Work.Steps, sum.Digest, butNot(&sum))
}

// butNot says which promises are none of those that were kept.
func butNot(s *cover.Summary) string {
	names := s.NotChecked()
	if names == nil {
		return ""
	}
	return "; not checked, for want of what the engine does not show: " + strings.Join(names, ", ")
}

func (o *Options) profile() (gen.Profile, error) {
	p := gen.Profiles[0]
	if o.Profile != "" {
		var ok bool
		if p, ok = gen.FindProfile(o.Profile); !ok {
			return p, fmt.Errorf("custody: unknown profile %q (known: %s)", o.Profile, profileNames())
		}
	}
	return p, nil
}

func profileNames() string {
	var names []string
	for _, p := range gen.Profiles {
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
	if name, v := setting(*seedsFlag, "custody.seeds", "CUSTODY_SEEDS"); v != "" {
		if n, err = strconv.Atoi(v); err != nil || n < 1 {
			return 0, 0, fmt.Errorf("custody: %s is %q, expected a number from 1", name, v)
		}
	}
	if name, v := setting(*seedFlag, "custody.seed", "CUSTODY_SEED"); v != "" {
		if first, err = strconv.ParseUint(v, 10, 64); err != nil {
			return 0, 0, fmt.Errorf("custody: %s is %q, expected a number", name, v)
		}
		n = 1
	}
	if n < 1 || first+uint64(n-1) < first {
		return 0, 0, fmt.Errorf("custody: there are no %d seeds from %d", n, first)
	}
	return first, n, nil
}

// setting is what a flag says, else the environment, with the name of where it stands.
func setting(value, flag, env string) (name, found string) {
	if value != "" {
		return "-" + flag, value
	}
	return env, os.Getenv(env)
}

// sane applies the user's settings and notes the first that is out of its range; what is executed stays in range.
func (o *Options) sane(bad *error) func(*traces.Config) {
	if o.Config == nil {
		return nil
	}
	return func(c *traces.Config) {
		o.Config(c)
		for k := range c {
			spec := &traces.Keys[k]
			if (c[k] < spec.Min || c[k] > spec.Max) && *bad == nil {
				*bad = fmt.Errorf("custody: Config: %s=%d is out of range (%d to %d)", spec.Name, c[k], spec.Min, spec.Max)
			}
			c[k] = min(max(c[k], spec.Min), spec.Max)
		}
	}
}

// execute are the options of one run.
func (o *Options) execute(watch ...sim.Watcher) sim.ExecuteOptions {
	return sim.ExecuteOptions{Engine: o.Engine, Worker: o.Worker, Promises: o.Promises, Watch: watch}
}

// usable says what is wrong with the user's promises.
func (o *Options) usable() error {
	seen := map[string]bool{}
	for _, s := range invariants.Statements {
		seen[s.Name] = true
	}
	for i, p := range o.Promises {
		switch {
		case p == nil:
			return fmt.Errorf("custody: promise %d is nil", i)
		case !plainName(p.ID()):
			return fmt.Errorf("custody: promise id %q: expected lower-case letters, digits, _ and -", p.ID())
		case seen[p.ID()]:
			return fmt.Errorf("custody: promise id %q is taken", p.ID())
		}
		seen[p.ID()] = true
	}
	return nil
}

func plainName(id string) bool {
	return id != "" && strings.Trim(id, "abcdefghijklmnopqrstuvwxyz0123456789_-") == ""
}

// report shrinks a failing script, writes it down, and says all that a person needs.
func (o *Options) report(t testing.TB, seed uint64, s *traces.Script, r *sim.Result) string {
	min := sim.Shrink(s, r, 0, shrink.Options{Budget: o.Budget})
	if min.Script == nil { // a promise of the user's that does not say the same twice
		min.Script = s.Clone()
	}
	promise, how := r.PromiseName(&r.Breaches[0]), "simtest.CheckScripts"
	headline := o.headline(min.Script, promise)
	min.Script.Expect = traces.Expect{Set: true}
	if o.Engine != nil {
		how += ", given your engine,"
	}
	if r.Breaches[0].Extra > 0 {
		how += ", given your promises,"
		min.Script.Comment = append(min.Script.Comment,
			fmt.Sprintf("It broke %s, a promise of %s: %s.", promise, t.Name(), o.sentence(&r.Breaches[0])))
	}
	file, err := o.write(t.Name(), promise, seed, min.Script)
	var b strings.Builder
	fmt.Fprintf(&b, "custody: %s\n", headline)
	fmt.Fprintf(&b, "seed %d breaks the promise %q: %s\n", seed, promise, o.sentence(&r.Breaches[0]))
	if also := alsoBroken(r); also != nil {
		fmt.Fprintf(&b, "after that it breaks: %s\n", strings.Join(also, ", "))
	}
	fmt.Fprintf(&b, "minimal script (%d lines, after %d executions):\n\n%s\n", min.Script.Size(), min.Executions,
		indent(min.Script.String()))
	if o.confirmed(min.Script, promise) {
		fmt.Fprintf(&b, "confirmed on the transformer: the same promise is broken there\n")
	}
	if err != nil {
		fmt.Fprintf(&b, "the script could not be written: %v\n", err)
	} else {
		fmt.Fprintf(&b, "written to %s, where %s runs it from now on\n", file, how)
	}
	fmt.Fprintf(&b, "next: go test -run '%s' -custody.seed=%d", runPattern(t.Name()), seed)
	return b.String()
}

// alsoBroken are the promises that a run breaks after the first.
func alsoBroken(r *sim.Result) (names []string) {
	for i := range r.Breaches[1:] {
		names = append(names, r.PromiseName(&r.Breaches[1+i]))
	}
	return names
}

// confirmed tells whether a script breaks the promise on the transformer, too.
func (o *Options) confirmed(s *traces.Script, promise string) bool {
	m, err := sim.NewTransformer()
	x := o.execute()
	x.Model = m
	return err == nil && sim.Confirm(s, promise, x)
}

// headline is the message of the first breach of a promise, when the script is run.
func (o *Options) headline(s *traces.Script, promise string) string {
	narrated, err := explain.Run(s, o.execute())
	if err != nil {
		return err.Error()
	}
	for i := range narrated.Breaches {
		if narrated.PromiseName(&narrated.Breaches[i]) == promise {
			return narrated.Message(i)
		}
	}
	return promise + " is broken"
}

// runPattern is the -run pattern of a test: each of its parts as a whole.
func runPattern(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
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
