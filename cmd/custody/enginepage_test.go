package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/cmd/custody/internal/readme"
	"custody/invariants"
)

// slots is the module of an engine of somebody else.
const slots = "sim/testdata/slots"

// An engine that is not Custody's, in a module that is not Custody's, passes its tests: no seed of any profile breaks a promise,
// and its defect is found, as a minimal script and a message that are compared by value.
func TestAnEngineOfSomebodyElseIsTested(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds the tests of a module of its own")
	}
	goIn(t, filepath.Join(readme.Root(t), filepath.FromSlash(slots)), "", "go test ./...", true)
}

// goIn runs a command of the go tool in a module, without the network, and returns what it says.
func goIn(t *testing.T, dir, flags, line string, passes bool) string {
	t.Helper()
	words := strings.Fields(strings.ReplaceAll(line, "'", ""))
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS="+flags, "GOPROXY=off", "CUSTODY_SEED=", "CUSTODY_SEEDS=")
	out, err := cmd.CombinedOutput()
	require.Equal(t, passes, err == nil, "%s\n%s", line, out)
	return string(out)
}

// All code and every file that the page shows is the module's.
func TestTheEnginePagesCodeIsTheModules(t *testing.T) {
	page := readme.Read(t, "docs/engine.md")
	shown := 0
	for _, m := range regexp.MustCompile("<!-- file: (.*) -->").FindAllStringSubmatch(page, -1) {
		require.Equal(t, readme.Read(t, m[1]), readme.BlockOf(t, page, m[0]), m[1])
		shown++
	}
	files, err := filepath.Glob(filepath.Join(readme.Root(t), slots, "*.go"))
	require.NoError(t, err)
	require.Equal(t, len(files)-1+2, shown, "all but more_test.go, a script, and what the defect says")
	for i := range invariants.Statements {
		x := &invariants.Statements[i]
		row := "| `" + x.Name + "` | " + x.Needs.String() + " |\n"
		require.Equal(t, x.Needs != 0, strings.Contains(page, row), row)
	}
}

// Whoever types the page's commands and edits one after the other sees what the page says that he sees.
func TestEveryCommandOfTheEnginePageWorks(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds the tests of a module of its own, three times")
	}
	page, dir := readme.Read(t, "docs/engine.md"), filepath.Join(t.TempDir(), "slots")
	block := func(marker string) string {
		return strings.TrimSuffix(readme.BlockOf(t, page, "<!-- "+marker+" -->"), "\n")
	}
	makeModule(t, page, dir, block("commands: the module"))
	run := func(marker string, passes bool) string { return goIn(t, dir, "-mod=mod", block(marker), passes) }

	require.Contains(t, unnumbered(run("commands: the first run", true)), unnumbered(block("output: the first run")))
	edit(t, filepath.Join(dir, "slots_test.go"), block("edit: mend"), block("edit: plant"))
	message := block("file: " + slots + "/testdata/hasty.txt")
	for _, marker := range []string{"commands: the defect", "commands: again"} {
		require.Contains(t, flat(run(marker, false)), flat(message))
	}
	require.Equal(t, block("commands: again"), strings.TrimPrefix(message[strings.LastIndex(message, "\n")+1:], "next: "))
	edit(t, filepath.Join(dir, "slots_test.go"), block("edit: plant"), block("edit: mend"))
	run("commands: mended", true)
	written, err := filepath.Glob(filepath.Join(dir, "testdata", "TestNoSeedBreaksAPromise-*.trace"))
	require.NoError(t, err)
	require.Len(t, written, 1)
}

// makeModule follows the page to a module with all of its files. `go mod tidy` asks the network, for which -mod=mod and sums
// that are known stand in here.
func makeModule(t *testing.T, page, dir, commands string) {
	t.Helper()
	lines := strings.Split(commands, "\n")
	require.Equal(t, "mkdir slots && cd slots", lines[0])
	require.Equal(t, "go mod tidy", lines[3])
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "testdata"), 0o755))
	goIn(t, dir, "", lines[1], true)
	goIn(t, dir, "", strings.Replace(lines[2], "../custody", readme.Root(t), 1), true)
	files := map[string]string{"go.sum": readme.Read(t, "go.sum")}
	for _, m := range regexp.MustCompile("<!-- file: "+slots+"/(.*) -->").FindAllStringSubmatch(page, -1) {
		files[m[1]] = readme.BlockOf(t, page, m[0])
	}
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o644))
	}
}

func edit(t *testing.T, file, from, to string) {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(text), from)
	require.NoError(t, os.WriteFile(file, []byte(strings.Replace(string(text), from, to, 1)), 0o644))
}

// unnumbered leaves out the numbers that every change of a generator moves.
func unnumbered(s string) string {
	return regexp.MustCompile(`\d+ steps, digest [0-9a-f]{32}`).ReplaceAllString(s, "N steps, digest D")
}

// flat leaves out how a test indents what it says.
func flat(s string) string {
	return regexp.MustCompile(`\s+`).ReplaceAllString(s, " ")
}
