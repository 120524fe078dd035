package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/cmd/custody/internal/readme"
)

// Every command of the README is run here, but for `go test ./...`, which is running, and what a scenario runs.
func TestEveryCommandInTheReadmeWorks(t *testing.T) {
	if testing.Short() {
		t.Skip("runs campaigns")
	}
	seen := 0
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(readme.Text(t), -1) {
		for _, line := range strings.Split(strings.TrimSpace(block[1]), "\n") {
			line, _, _ = strings.Cut(line, "#")
			if line = strings.TrimSpace(line); line == "go test ./..." {
				continue
			}
			words, ok := strings.CutPrefix(line, "go run ./cmd/custody ")
			require.True(t, ok, "how to test this? %s", line)
			seen++
			if !inAScenario(t, words) {
				t.Run(words, func(t *testing.T) { runInTheReadmesFolder(t, strings.Fields(words)) })
			}
		}
	}
	require.GreaterOrEqual(t, seen, 8)
}

// inAScenario tells whether one of testdata/script types these words, to the end of its line.
func inAScenario(t *testing.T, words string) bool {
	t.Helper()
	files, err := filepath.Glob("testdata/script/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		if strings.Contains(string(text), "\nexec custody "+words+"\n") {
			return true
		}
	}
	return false
}

// runInTheReadmesFolder runs a command to its end. A campaign that has none of its own but some seconds is ended as a
// reader ends it who has seen enough.
func runInTheReadmesFolder(t *testing.T, words []string) {
	t.Parallel()
	cmd := exec.Command("custody", words...)
	var out bytes.Buffer
	cmd.Dir, cmd.Stdout = readme.Root(t), &out
	errs, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	said := bufio.NewReader(errs)
	head, _ := said.ReadString('\n')
	if strings.Contains(head, ", for 5s") {
		require.NoError(t, cmd.Process.Signal(os.Interrupt))
	}
	rest, _ := io.ReadAll(said)
	require.NoError(t, cmd.Wait(), "%s%s%s", head, rest, out.String())
	require.NotEmpty(t, out.String())
}

func TestTheReadmesCodeIsATestThatRuns(t *testing.T) {
	for _, file := range []string{"sim/simtest/example_test.go", "sim/draw/example_test.go"} {
		code, err := os.ReadFile(filepath.Join(readme.Root(t), filepath.FromSlash(file)))
		require.NoError(t, err)
		require.Equal(t, string(code), readme.Block(t, "<!-- file: "+file+" -->"))
	}
}

// The commands that make a module of its own use this one. `go mod tidy` asks the network, for which -mod=mod and our
// own sums stand in here.
func TestAModuleOfItsOwnCanUseThisOne(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds a test in a module of its own")
	}
	root, dir := readme.Root(t), t.TempDir()
	edit, tidy, _ := strings.Cut(readme.Block(t, "<!-- commands: a module of your own -->"), "\n")
	require.Equal(t, "go mod tidy\n", tidy)
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	require.NoError(t, err)
	code, err := os.ReadFile(filepath.Join(root, "sim", "draw", "example_test.go"))
	require.NoError(t, err)
	for name, text := range map[string]string{"go.mod": "module example.org/mine\n\ngo 1.26.0\n", "go.sum": string(sums),
		"mine_test.go": string(code)} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	for _, line := range []string{strings.Replace(edit, "../custody", root, 1), "go test -mod=mod ./..."} {
		words := strings.Fields(line)
		cmd := exec.Command(words[0], words[1:]...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s\n%s", line, out)
	}
}

// That the message below the script is what Custody says of it is tested in the museum, which builds the defect.
func TestTheReadmesFailureIsTheExhibits(t *testing.T) {
	x := readme.Exhibit(t, "incident-row-stays")
	require.Equal(t, x.Script, readme.Block(t, "<!-- exhibit: incident-row-stays -->"))
}
