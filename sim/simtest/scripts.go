package simtest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"custody/sim/explain"
	"custody/traces"
)

// CheckScripts executes every .trace file of a directory, each as a subtest. A script that ends in `expect violates`
// must break that promise; every other script must keep them all. A digest in the file must be the run's. Of the options it
// takes promises, engine and worker.
func CheckScripts(t *testing.T, dir string, o Options) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.trace"))
	if err != nil {
		t.Fatal(err)
	}
	if err := checkFolder(dir); err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".trace"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := CheckText(file, string(text), o); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// checkFolder says why a folder can hold no scripts: a misspelt one must not pass.
func checkFolder(dir string) error {
	_, err := os.ReadDir(dir)
	return err
}

// CheckText executes the text of one script and says how it differs from what it expects.
func CheckText(file, text string, o Options) error {
	trace, err := traces.ParseTrace(file, text)
	if err != nil {
		return err
	}
	r, err := explain.Run(trace.Script, o.execute())
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if err := r.Meets(trace.Script.Expect); err != nil {
		return fmt.Errorf("%s: %w%s", file, err, next(file, trace.Script))
	}
	if trace.Digest != "" && trace.Digest != r.Digest.String() {
		return fmt.Errorf("%s: the digest is %s, the file says %s%s", file, r.Digest, trace.Digest, next(file, trace.Script))
	}
	return nil
}

// next is the command to type next, for a script of an engine that the command knows.
func next(file string, s *traces.Script) string {
	if !s.Engine.IsOwn() {
		return ""
	}
	return "\nnext: custody replay " + file
}
