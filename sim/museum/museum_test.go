package museum

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/invariants"
	"custody/sim"
)

const root = "../.."

// seedsToDetection is within how many seeds every exhibit must be found.
const seedsToDetection = 500

// longestScript is how many lines a minimal script may have.
const longestScript = 8

// probe runs a probe and returns its report.
func probe(t *testing.T, binary string, args ...string) *Report {
	t.Helper()
	r, err := Probe(binary, args...)
	require.NoError(t, err)
	return r
}

func buildClean(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the engine once for each exhibit")
	}
	clean, err := Build(root, t.TempDir(), "", nil)
	require.NoError(t, err)
	return clean
}

func TestEveryExhibitIsFoundAndShrunkAndBreaksThePromiseThatItNames(t *testing.T) {
	exhibits, err := Load("exhibits")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(exhibits), 5)
	clean := buildClean(t)
	for _, x := range exhibits {
		t.Run(x.ID, func(t *testing.T) {
			planted, err := Build(root, t.TempDir(), clean, x.Edits)
			require.NoError(t, err)
			checkHunt(t, x, planted, clean)
			checkScript(t, x, planted, clean)
			if x.Fixes != "" {
				checkFix(t, x, exhibit(t, x.Fixes), planted)
			}
		})
	}
}

// A checker is guilty until proven useful. `marker` is told last: by then the KV that it comes from has been read.
func TestEveryPromiseIsBrokenFirstByAnExhibitThatNamesIt(t *testing.T) {
	exhibits, err := Load("exhibits")
	require.NoError(t, err)
	named := map[string]bool{}
	for _, x := range exhibits {
		named[x.Promise] = true
		if x.Also != "" {
			named[x.Also] = true
		}
	}
	for _, s := range invariants.Statements {
		require.True(t, named[s.Name], "no exhibit names %s", s.Name)
	}
	require.Len(t, named, len(invariants.Statements), "an exhibit names a promise that there is not")
}

// checkHunt: a campaign finds the defect, and the shrinker brings it down.
func checkHunt(t *testing.T, x *Exhibit, planted, clean string) {
	r := probe(t, planted, append(x.hunt(), "--seeds", strconv.Itoa(seedsToDetection))...)
	require.NotZero(t, r.Seed, "no seed of %d breaks %s in its first failing step", seedsToDetection, x.Promise)
	require.LessOrEqual(t, r.Seed, uint64(seedsToDetection))
	require.LessOrEqual(t, r.Lines, longestScript, r.Script)
	t.Logf("seed %d (%d failing ones before it), %d lines after %d executions\n%s", r.Seed, len(r.Failing)-1, r.Lines, r.Executions, r.Script)
	checkFresh(t, x, r, planted, clean)
}

// checkFresh: what a hunt hands back breaks the same promise in a process that has seen nothing else, after the same
// number of steps, and nothing in the clean engine.
func checkFresh(t *testing.T, x *Exhibit, r *Report, planted, clean string) {
	file := write(t, r.Script)
	b := probe(t, planted, "--script", file).First(x.Promise)
	require.NotNil(t, b, "a fresh process does not break %s in its first failing step:\n%s", x.Promise, r.Script)
	require.Equal(t, r.Steps, b.Step)
	require.Empty(t, probe(t, clean, "--script", file).Breaches)
}

// write writes a script to a file of the test's own.
func write(t *testing.T, script string) string {
	file := filepath.Join(t.TempDir(), "script.trace")
	require.NoError(t, os.WriteFile(file, []byte(script), 0o644))
	return file
}

// checkScript: the exhibit's own script breaks the promise in the planted engine, and nothing in the clean one.
func checkScript(t *testing.T, x *Exhibit, planted, clean string) {
	file := write(t, x.Script)
	r := probe(t, planted, "--script", file)
	b := r.First(x.Promise)
	require.NotNil(t, b, "the script does not break %s in its first failing step", x.Promise)
	require.Equal(t, x.Relation, b.Relation)
	require.Contains(t, r.Seen, x.Promise, "on the transformer")
	if x.Also != "" {
		require.Contains(t, r.Seen, x.Also, "on the transformer")
	}
	r = probe(t, clean, "--script", file)
	require.Empty(t, r.Breaches)
	require.Empty(t, r.Seen, "on the transformer")
	require.LessOrEqual(t, x.Lines, longestScript)
	checkReadme(t, x, b.Message)
}

// anyLine leaves out line numbers, which every edit of the file above them moves.
func anyLine(text string) string {
	return regexp.MustCompile(`\.go:\d+`).ReplaceAllString(text, ".go:N")
}

// checkReadme: where the README shows what is said of an exhibit, it is what is said.
func checkReadme(t *testing.T, x *Exhibit, message string) {
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	marker := "<!-- message: " + x.ID + " -->\n```\n"
	if _, shown, ok := strings.Cut(string(text), marker); ok {
		shown, _, _ = strings.Cut(shown, "```")
		require.Equal(t, anyLine(message), anyLine(strings.ReplaceAll(strings.TrimSpace(shown), "\n", " ")))
	}
	t.Log(message)
}

// The incident needs both halves. The mismatch alone shows as refusals; the defect alone shows nothing.
func TestTheMismatchAloneBreaksNothing(t *testing.T) {
	p, ok := sim.FindProfile("mismatch")
	require.True(t, ok)
	var sum sim.Summary
	for seed := range uint64(10_000) {
		_, r := sim.Generate(seed+1, p, sim.ExecuteOptions{})
		require.True(t, r.OK(), "seed %d: %v", seed+1, r.Breaches)
		sum.Add(r)
	}
	refused := int64(0)
	for _, n := range sum.Coverage.Refusals {
		refused += n
	}
	require.Greater(t, refused, int64(1000), "the mismatch shows as refusals")
}

func TestTheDefectAloneBreaksNothing(t *testing.T) {
	x := exhibit(t, "incident-row-stays")
	planted, err := Build(root, t.TempDir(), buildClean(t), x.Edits)
	require.NoError(t, err)
	r := probe(t, planted, "--profile", "calm", "--seeds", "10000")
	require.Zero(t, r.Seed, "seed %d: %v", r.Seed, r.Breaches)
}

func exhibit(t *testing.T, id string) *Exhibit {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("exhibits", id+".txt"))
	require.NoError(t, err)
	x, err := Parse(id+".txt", data)
	require.NoError(t, err)
	return x
}

// The canary: a build whose overlay changes nothing is no exhibit, and the museum says so.
func TestAnEditThatChangesNothingIsNoDefect(t *testing.T) {
	same := Edit{File: "cache/key.go", Func: "rootKey", Old: "h = mix(h, uint64(id.Epoch))", New: "h = mix(h,   uint64(id.Epoch))"}
	_, err := Build(root, t.TempDir(), buildClean(t), []Edit{same})
	require.ErrorContains(t, err, "the edit is no defect")
}

func TestAnEditMustBeFoundOnceInItsFunction(t *testing.T) {
	source := []byte("package p\n\nfunc (x *T) f() {\n\tg(1,\n\t\t2)\n}\n\nfunc g(int, int) {}\n")
	for name, c := range map[string]struct {
		edit Edit
		want string
	}{
		"white space is folded": {Edit{File: "p.go", Func: "T.f", Old: "g(1, 2)", New: "g(2, 1)"}, "package p\n\nfunc (x *T) f() {\n\tg(2, 1)\n}\n\nfunc g(int, int) {}\n"},
		"another function":      {Edit{File: "p.go", Func: "g", Old: "g(1, 2)"}, "occurs 0 times"},
		"no such function":      {Edit{File: "p.go", Func: "T.h", Old: "g(1, 2)"}, "has no function T.h"},
		"too often":             {Edit{File: "p.go", Func: "T.f", Old: ")"}, "occurs 3 times"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := c.edit.apply(source)
			if err != nil {
				require.ErrorContains(t, err, c.want)
				return
			}
			require.Equal(t, c.want, string(got))
		})
	}
}

// The engine moves on, and an edit's text must still stand in it: this says so without building anything.
func TestEveryEditOfTheMuseumStillFindsItsPlace(t *testing.T) {
	exhibits, err := Load("exhibits")
	require.NoError(t, err)
	for _, x := range exhibits {
		_, err := Plant(root, t.TempDir(), x.Edits)
		require.NoError(t, err, x.ID)
	}
	controls, err := LoadControls("controls")
	require.NoError(t, err)
	for _, c := range controls {
		_, err := Plant(root, t.TempDir(), slices.Concat(c.Edits, c.Canary))
		require.NoError(t, err, c.ID)
	}
}
