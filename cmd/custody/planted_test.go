package main

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"custody/cmd/custody/internal/readme"
)

// The defect: prefix keys that leave the isolation domain out, so that one tenant finds another's blocks.
const (
	plantedFile = "cache/key.go"
	soundLine   = "h := mix(0x6375_7374_6f64_7931, uint64(id.Domain))"
	plantedLine = "h := mix(0x6375_7374_6f64_7931, uint64(0))"
)

// TestAPlantedDefectIsFoundShrunkAndReplayed runs the scenarios of testdata/planted on a binary whose engine has a
// defect. The compiler's overlay plants it; no file of the module changes.
func TestAPlantedDefectIsFoundShrunkAndReplayed(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds a binary")
	}
	root, dir := readme.Root(t), t.TempDir()
	planted := plant(t, root, dir)
	build := exec.Command("go", "build", "-buildvcs=false", "-overlay", overlay(t, dir, planted), "-o",
		filepath.Join(dir, "custody"), "./cmd/custody")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmds := maps.Clone(commands)
	cmds["gotest"] = func(ts *testscript.TestScript, neg bool, args []string) { goTestWith(ts, t, root, planted, neg, args) }
	testscript.Run(t, testscript.Params{
		Dir: "testdata/planted", Cmds: cmds,
		Setup: func(e *testscript.Env) error {
			e.Setenv("PATH", dir+string(filepath.ListSeparator)+e.Getenv("PATH"))
			return nil
		},
	})
}

// plant writes a copy of the file with the defect and returns what replaces what.
func plant(t *testing.T, root, dir string) map[string]string {
	t.Helper()
	at := filepath.Join(root, filepath.FromSlash(plantedFile))
	text, err := os.ReadFile(at)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(string(text), soundLine) != 1 {
		t.Fatalf("%s does not hold the line %q once: plant the defect elsewhere", plantedFile, soundLine)
	}
	to := filepath.Join(dir, "key.go")
	if err := os.WriteFile(to, []byte(strings.Replace(string(text), soundLine, plantedLine, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	return map[string]string{at: to}
}

// overlay writes the file that tells the compiler what replaces what.
func overlay(t *testing.T, dir string, replace map[string]string) string {
	t.Helper()
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.CreateTemp(dir, "overlay-*.json")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(text); err != nil {
		t.Fatal(err)
	}
	return f.Name()
}

// goTestWith runs a test that custody has written, as if it stood in a package of this module: `gotest sound FILE` on the
// engine as it is, `gotest planted FILE` on the one with the defect.
func goTestWith(ts *testscript.TestScript, t *testing.T, root string, planted map[string]string, neg bool, args []string) {
	replace := map[string]string{}
	if args[0] == "planted" {
		maps.Copy(replace, planted)
	}
	replace[filepath.Join(root, "cmd", "custody", "internal", "written", args[1])] = ts.MkAbs(args[1])
	binary := filepath.Join(t.TempDir(), "written.test")
	build := exec.Command("go", "test", "-c", "-vet=off", "-overlay", overlay(t, t.TempDir(), replace), "-o", binary,
		"./cmd/custody/internal/written")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		ts.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(binary).CombinedOutput()
	ts.Logf("%s", out)
	if (err != nil) != neg {
		ts.Fatalf("go test on the %s engine: %v", args[0], err)
	}
}
