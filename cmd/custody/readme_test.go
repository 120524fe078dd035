package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/invariants/museum"
)

const readmeRoot = "../.."

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(readmeRoot, "README.md"))
	require.NoError(t, err)
	return string(text)
}

// Every command of the README is run here, but for `go test ./...`, which is running.
func TestEveryCommandInTheReadmeWorks(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command")
	}
	binary := build(t)
	ran := 0
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(readme(t), -1) {
		for _, line := range strings.Split(strings.TrimSpace(block[1]), "\n") {
			line, _, _ = strings.Cut(line, "#")
			if line = strings.TrimSpace(line); line == "go test ./..." {
				continue
			}
			words, ok := strings.CutPrefix(line, "go run ./cmd/custody ")
			require.True(t, ok, "how to test this? %s", line)
			cmd := exec.Command(binary, strings.Fields(words)...)
			cmd.Dir = readmeRoot
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s\n%s", line, out)
			ran++
		}
	}
	require.GreaterOrEqual(t, ran, 8)
}

// block is what stands in the fence after a marker.
func block(t *testing.T, marker string) string {
	t.Helper()
	m := regexp.MustCompile("(?s)" + regexp.QuoteMeta(marker) + "\n```[a-z]*\n(.*?)```").FindStringSubmatch(readme(t))
	require.NotNil(t, m, marker)
	return m[1]
}

func TestTheReadmesCodeIsATestThatRuns(t *testing.T) {
	code, err := os.ReadFile(filepath.Join(readmeRoot, "sim", "example_test.go"))
	require.NoError(t, err)
	require.Equal(t, string(code), block(t, "<!-- file: sim/example_test.go -->"))
}

// That the message below the script is what Custody says of it is tested in the museum, which builds the defect.
func TestTheReadmesFailureIsTheExhibits(t *testing.T) {
	exhibits, err := museum.Load(filepath.Join(readmeRoot, "invariants", "museum", "exhibits"))
	require.NoError(t, err)
	for _, x := range exhibits {
		if x.ID == "incident-row-stays" {
			require.Equal(t, x.Script, block(t, "<!-- exhibit: incident-row-stays -->"))
			return
		}
	}
	t.Fatal("no such exhibit")
}
