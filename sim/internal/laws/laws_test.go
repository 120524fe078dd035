package laws

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// rooms are the packages that law 1 is about.
var rooms = []string{"cache", "scheduler", "model", "invariants", "sim", "traces"}

// moduleRoot is the root of the module that this test stands in.
const moduleRoot = "../../.."

func TestTheSixPackagesKeepTheLaws(t *testing.T) {
	needsGo(t)
	var written []string
	for _, room := range rooms {
		if hasSources(t, moduleRoot, room) {
			written = append(written, room)
		} else {
			t.Logf("%s has no Go files yet", room)
		}
	}
	report, err := Check(moduleRoot, written...)
	for _, finding := range report.Findings {
		t.Error(finding)
	}
	if err != nil {
		t.Error(err)
	}
	t.Logf("read %d files of %s", report.Files, strings.Join(report.Read, ", "))
	if len(report.Read) == 0 {
		t.Error("no package was read: a test that reads nothing proves nothing")
	}
	for _, room := range written {
		if !slices.ContainsFunc(report.Read, func(read string) bool { return below(read, room) }) {
			t.Errorf("%s has Go files, but none was read", room)
		}
	}
}

// hasSources looks for Go files in its own way, so that a mistake of the survey cannot hide a package.
func hasSources(t *testing.T, root, room string) bool {
	t.Helper()
	found := false
	err := filepath.WalkDir(filepath.Join(root, room), func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, name)
		if entry.IsDir() && (entry.Name() == "testdata" || exemptFolder(filepath.ToSlash(rel))) {
			return fs.SkipDir
		}
		if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			found = true
		}
		return nil
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return found
}

func below(folder, room string) bool {
	return folder == room || strings.HasPrefix(folder, room+"/")
}

// needsGo skips where the test binary runs without the tool chain, as under an emulator of another system.
func needsGo(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("needs the go command to find the compiler's export data")
	}
}
