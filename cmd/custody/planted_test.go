package main

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"custody/cmd/custody/internal/readme"
	"custody/sim/museum"
)

// leak is the defect of the scenarios: prefix keys that leave the isolation domain out, so that one tenant finds another's
// blocks.
const leak = "d01-key-without-domain"

// planted is the command with the defects of the museum, in a folder of its own. The compiler's overlay plants them; no file
// of the module changes.
func planted(t *testing.T) (dir, overlay string) {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds a binary")
	}
	dir, overlay = t.TempDir(), readme.Overlay(t)
	build := exec.Command("go", "build", "-buildvcs=false", "-overlay", overlay, "-o", filepath.Join(dir, "custody"), ".")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return dir, overlay
}

func TestThePlantedCommand(t *testing.T) {
	t.Parallel()
	dir, overlay := planted(t)
	t.Run("a defect is found, shrunk and replayed", func(t *testing.T) {
		t.Parallel()
		cmds := maps.Clone(commands)
		cmds["gotest"] = func(ts *testscript.TestScript, neg bool, args []string) { goTestWith(ts, t, overlay, neg, args) }
		testscript.Run(t, testscript.Params{
			Dir: "testdata/planted", Cmds: cmds,
			Setup: func(e *testscript.Env) error {
				e.Setenv("PATH", dir+string(filepath.ListSeparator)+e.Getenv("PATH"))
				e.Setenv(museum.Chosen, leak)
				return nil
			},
		})
	})
	t.Run("the README's receipts are the command's", func(t *testing.T) {
		t.Parallel()
		checkReceipts(t, filepath.Join(dir, "custody"))
	})
}

// goTestWith runs a test that custody has written, as if it stood in a package of this module: `gotest sound FILE` on the
// engine as it is, `gotest planted FILE` on the one with the defect.
func goTestWith(ts *testscript.TestScript, t *testing.T, overlay string, neg bool, args []string) {
	dir := t.TempDir()
	binary := filepath.Join(dir, "written.test")
	place := filepath.Join(readme.Root(t), "cmd", "custody", "internal", "written", args[1])
	build := exec.Command("go", "test", "-c", "-vet=off", "-overlay", withFile(t, overlay, dir, place, ts.MkAbs(args[1])),
		"-o", binary, "./cmd/custody/internal/written")
	build.Dir = readme.Root(t)
	if out, err := build.CombinedOutput(); err != nil {
		ts.Fatalf("%v\n%s", err, out)
	}
	run := exec.Command(binary)
	if args[0] == "planted" {
		run.Env = readme.With(leak)
	}
	out, err := run.CombinedOutput()
	ts.Logf("%s", out)
	if (err != nil) != neg {
		ts.Fatalf("go test on the %s engine: %v", args[0], err)
	}
}

// withFile is an overlay that puts one more file at a place.
func withFile(t *testing.T, overlay, dir, place, file string) string {
	t.Helper()
	text, err := os.ReadFile(overlay)
	require.NoError(t, err)
	var all struct{ Replace map[string]string }
	require.NoError(t, json.Unmarshal(text, &all))
	all.Replace[place] = file
	text, err = json.Marshal(all)
	require.NoError(t, err)
	more := filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(more, text, 0o644))
	return more
}
