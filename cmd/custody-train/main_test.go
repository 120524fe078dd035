package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"custody/model/llama"
	"custody/model/train"
)

// Processes of their own are this test binary under the command's name.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"custody-train": main})
}

// command runs a command line and returns the exit code and what it wrote.
func command(args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = execute(args, &console{out: &o, err: &e})
	return code, o.String(), e.String()
}

// short is a training that reaches long samples soon.
var short = []string{"run", "--steps", "3", "--warmup", "1", "--curriculum", "3", "--exam-every", "0"}

var digest = regexp.MustCompile(`SHA-256 ([0-9a-f]{64})\n$`)

func digestIn(t *testing.T, out string) string {
	t.Helper()
	m := digest.FindStringSubmatch(out)
	require.NotNil(t, m, out)
	return m[1]
}

func TestATrainingStoppedAndResumedEndsWithTheSameWeights(t *testing.T) {
	dir := t.TempDir()
	state, whole, parts := filepath.Join(dir, "state"), filepath.Join(dir, "whole"), filepath.Join(dir, "parts")
	code, out, errs := command(append(short, "--out", whole)...)
	require.Zero(t, code, errs)
	want := digestIn(t, out)
	code, _, errs = command(append(short, "--stop", "1", "--checkpoint", state)...)
	require.Zero(t, code, errs)
	code, out, errs = command("run", "--resume", state, "--out", parts, "--threads", "1", "--exam-every", "0")
	require.Zero(t, code, errs)
	require.Equal(t, want, digestIn(t, out))
	a, err := os.ReadFile(whole)
	require.NoError(t, err)
	b, err := os.ReadFile(parts)
	require.NoError(t, err)
	require.Equal(t, a, b)
}

func TestWeightsThatLearntNothingDoNotPass(t *testing.T) {
	weights := filepath.Join(t.TempDir(), "w")
	code, _, errs := command("run", "--steps", "1", "--warmup", "0", "--out", weights, "--exam-every", "1")
	require.Zero(t, code, errs)
	code, out, _ := command("eval", "--weights", weights, "--prompts", "10")
	require.Equal(t, exitFailed, code)
	require.Contains(t, out, "marker: 0.00% of 10 answers are right, at least 99.5% are needed")
}

func TestMisuseIsToldInWords(t *testing.T) {
	nothing := filepath.Join(t.TempDir(), "nothing")
	for says, args := range map[string][]string{
		"Steps is 0, expected 1 to":                           {"run", "--steps", "0"},
		"--threads is 3, expected 1 or 2":                     {"run", "--threads", "3"},
		"--stop and --exam-every expect a number of steps":    {"run", "--stop", "-1"},
		"--seed has no meaning with --resume":                 {"run", "--resume", nothing, "--seed", "2"},
		"reading the checkpoint: open " + nothing:             {"run", "--resume", nothing},
		"main.go: train: checkpoint: safetensors: the header": {"run", "--resume", "main.go"},
		"reading the weights: open " + nothing:                {"eval", "--weights", nothing},
		"main.go: safetensors: the header claims":             {"eval", "--weights", "main.go"},
		"--prompts is 0, expected 1 to 1000000":               {"eval", "--prompts", "0"},
		`found "fly", expected no arguments`:                  {"fly"},
		`found "flag", expected no arguments`:                 {"run", "flag"},
	} {
		code, _, errs := command(args...)
		require.Equal(t, exitMisuse, code, args)
		require.Contains(t, errs, says)
	}
}

// digestOf trains in a process of its own, with more environment.
func digestOf(t *testing.T, env ...string) string {
	t.Helper()
	cmd := exec.Command("custody-train", short...)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.Output()
	require.NoError(t, err)
	return digestIn(t, string(out))
}

// That other processors and compilers make the same weights is tested by model/bits, which is built for each of them.
func TestTheSameSeedGivesTheSameWeightsInEveryProcess(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("trains in processes of their own")
	}
	want := digestOf(t)
	require.Equal(t, want, digestOf(t, "GOMAXPROCS=1"), "on one processor")
	require.Equal(t, want, digestOf(t, "GODEBUG=cpu.avx2=off", "GOGC=20"), "without vectors")
	require.Equal(t, want, digestOf(t, "GODEBUG=cpu.fma=off"), "without fused multiply-add")
}

func TestCtrlCSavesTheState(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("trains in processes of their own")
	}
	dir := t.TempDir()
	state := filepath.Join(dir, "state")
	cmd := exec.Command("custody-train", "run", "--exam-every", "5", "--checkpoint", state)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	require.NoError(t, cmd.Start())
	for range 6000 { // the first exam writes the first checkpoint: it is under way
		if _, err := os.Stat(state); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	require.NoError(t, cmd.Process.Signal(syscall.SIGINT))
	require.Error(t, cmd.Wait())
	require.Equal(t, exitInterrupted, cmd.ProcessState.ExitCode())
	require.Regexp(t, `stopped after step \d+\nnext: custody-train run --resume `+regexp.QuoteMeta(state), errs.String())
	file, err := os.ReadFile(state)
	require.NoError(t, err)
	resumed, err := train.Resume(llama.Small(), file)
	require.NoError(t, err)
	require.Contains(t, errs.String(), fmt.Sprintf("after step %d\n", resumed.Steps()))
}
