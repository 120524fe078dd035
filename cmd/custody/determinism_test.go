package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// digestSeeds is how many seeds the digests below cover; two of them run on the transformer besides.
const digestSeeds = "130"

// build compiles the command with more environment and returns the binary.
func build(t *testing.T, env ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "custody")
	cmd := exec.Command("go", "build", "-buildvcs=false", "-o", out, ".")
	cmd.Env = append(os.Environ(), env...)
	text, err := cmd.CombinedOutput()
	require.NoError(t, err, string(text))
	return out
}

// digestOf runs a campaign in a process of its own and returns its digest.
func digestOf(t *testing.T, env []string, command ...string) string {
	t.Helper()
	cmd := exec.Command(command[0], append(command[1:], "run", "--seeds", digestSeeds, "--json")...)
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
	return summary.Digest + summary.Transformer.Digest
}

func TestTheSameSeedsGiveTheSameBitsInEveryProcess(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command several times")
	}
	native := build(t)
	want := digestOf(t, nil, native)
	require.Equal(t, want, digestOf(t, nil, native), "in a second process")
	require.Equal(t, want, digestOf(t, []string{"GOMAXPROCS=1"}, native), "on one processor")
	require.Equal(t, want, digestOf(t, []string{"GODEBUG=cpu.fma=off", "GOGC=20"}, native), "without fused multiply-add")
}

func TestTheSameSeedsGiveTheSameBitsOnArm64(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command for another processor")
	}
	emulator, err := exec.LookPath("qemu-aarch64-static")
	if err != nil {
		t.Skip("qemu-aarch64-static is not installed (Debian: qemu-user-static)")
	}
	arm := build(t, "GOARCH=arm64", "CGO_ENABLED=0")
	require.Equal(t, digestOf(t, nil, build(t)), digestOf(t, nil, emulator, arm))
}
