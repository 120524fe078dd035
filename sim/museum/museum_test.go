package museum

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/invariants"

	"custody/sim/cover"
	"custody/sim/fleet"
	"custody/sim/gen"
)

const root = "../.."

// seedsToDetection is within how many seeds every exhibit must be found.
const seedsToDetection = 500

// longestScript is how many lines a minimal script may have.
const longestScript = 8

// clean is the engine as it is.
const clean = ""

// probe runs the engine with a plant and returns its report.
func probe(t *testing.T, plant string, args ...string) *Report {
	t.Helper()
	r, err := engines(t).Probe(plant, args...)
	require.NoError(t, err)
	return r
}

// engines is the one build of all plants. The tests that share it run beside one another.
func engines(t *testing.T) *Engines {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the engine")
	}
	e, err := build()
	require.NoError(t, err)
	return e
}

var build = sync.OnceValues(func() (*Engines, error) {
	m, err := Open(root)
	if err != nil {
		return nil, err
	}
	return Build(root, buildDir, m.Plants())
})

var buildDir string

func TestMain(m *testing.M) {
	var err error
	if buildDir, err = os.MkdirTemp("", "museum"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(buildDir)
	os.Exit(code)
}

func opened(t *testing.T) *Museum {
	t.Helper()
	m, err := Open(root)
	require.NoError(t, err)
	return m
}

func TestEveryExhibitIsFoundAndShrunkAndBreaksThePromiseThatItNames(t *testing.T) {
	exhibits := opened(t).Exhibits
	require.GreaterOrEqual(t, len(exhibits), 5)
	engines(t)
	for _, x := range exhibits {
		t.Run(x.ID, func(t *testing.T) {
			t.Parallel()
			checkHunt(t, x)
			checkScript(t, x)
			if x.Fixes != "" {
				checkFix(t, x, opened(t).Exhibit(x.Fixes))
			}
		})
	}
}

// A checker is guilty until proven useful. `marker` is told last: by then the KV that it comes from has been read.
func TestEveryPromiseIsBrokenFirstByAnExhibitThatNamesIt(t *testing.T) {
	exhibits := opened(t).Exhibits
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
func checkHunt(t *testing.T, x *Exhibit) {
	r := probe(t, x.ID, append(x.hunt(), "--seeds", strconv.Itoa(seedsToDetection))...)
	require.NotZero(t, r.Seed, "no seed of %d breaks %s in its first failing step", seedsToDetection, x.Promise)
	require.LessOrEqual(t, r.Seed, uint64(seedsToDetection))
	require.LessOrEqual(t, r.Lines, longestScript, r.Script)
	t.Logf("seed %d (%d failing ones before it), %d lines after %d executions\n%s",
		r.Seed, len(r.Failing)-1, r.Lines, r.Executions, r.Script)
	checkFresh(t, x, r)
}

// checkFresh: what a hunt hands back breaks the same promise in a process that has seen nothing else, after the same
// number of steps, and nothing in the clean engine.
func checkFresh(t *testing.T, x *Exhibit, r *Report) {
	file := write(t, r.Script)
	b := probe(t, x.ID, "--script", file).First(x.Promise)
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
func checkScript(t *testing.T, x *Exhibit) {
	file := write(t, x.Script)
	r := probe(t, x.ID, "--script", file)
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
	t.Parallel()
	if testing.Short() {
		t.Skip("ten thousand seeds")
	}
	p, ok := gen.FindProfile("mismatch")
	require.True(t, ok)
	var sum cover.Summary
	fleet.Campaign{First: 1, Seeds: 10_000, Workers: runtime.NumCPU(), Profile: p}.Run(func(x fleet.Taken) bool {
		require.NoError(t, x.Err)
		require.True(t, x.Result.OK(), "seed %d: %v", x.Seed, x.Result.Breaches)
		sum.Add(x.Result, x.Seen)
		return true
	})
	refused := int64(0)
	for _, n := range sum.Coverage.Refusals {
		refused += n
	}
	require.Greater(t, refused, int64(1000), "the mismatch shows as refusals")
}

func TestTheDefectAloneBreaksNothing(t *testing.T) {
	t.Parallel()
	r := probe(t, "incident-row-stays", "--profile", "calm", "--seeds", "10000")
	require.Zero(t, r.Seed, "seed %d: %v", r.Seed, r.Breaches)
}
