package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/cmd/custody/internal/readme"
)

// digestSeeds is how many seeds the digests below cover; two of them run on the transformer besides.
const digestSeeds = "130"

// digestOf runs a campaign in a process of its own, with more environment, and returns its digests.
func digestOf(t *testing.T, env ...string) (hash, transformer string) {
	t.Helper()
	cmd := exec.Command("custody", "run", "--seeds", digestSeeds, "--json")
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.Output()
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	var summary struct {
		Kind, Digest string
		Transformer  struct{ Digest string }
	}
	require.NoError(t, json.Unmarshal([]byte(lines[len(lines)-1]), &summary))
	require.Equal(t, "summary", summary.Kind)
	require.Len(t, summary.Digest, 32)
	require.Len(t, summary.Transformer.Digest, 32)
	return summary.Digest, summary.Transformer.Digest
}

// The table of model/bits has the same digests of every kind of processor, so the command prints the same bits on all of them.
func TestTheSameSeedsGiveTheSameBitsInEveryProcess(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("runs a campaign several times")
	}
	table, err := os.ReadFile(filepath.Join(readme.Root(t), "model", "bits", "testdata", "digests.txt"))
	require.NoError(t, err)
	for name, env := range map[string][]string{
		"as it is":                   nil,
		"in a second process":        nil,
		"on one processor":           {"GOMAXPROCS=1"},
		"without fused multiply-add": {"GODEBUG=cpu.fma=off", "GOGC=20"},
	} {
		hash, transformer := digestOf(t, env...)
		require.Regexp(t, `(?m)^arm64 +command +`+hash[:16]+transformer[:16]+`$`, string(table), name)
	}
}
