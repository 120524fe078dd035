package laws

import (
	"bytes"
	"errors"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"strings"
)

// exports finds the compiler's export data of packages outside the module. One run of the go command names a package
// and all that it depends on, from the build cache: type-checking the standard library from source takes ten times as long.
type exports struct {
	root  string            // where the go command runs: its go.mod decides versions
	files map[string]string // export data by import path
	types.Importer
}

// newExports asks at once for what the sources are known to import; a run of the go command costs more than its answer.
func newExports(root string, imports []string) *exports {
	e := &exports{root: root, files: map[string]string{}}
	e.Importer = importer.ForCompiler(token.NewFileSet(), "gc", e.open)
	_ = e.list(imports...) // what is missing is asked for again, by itself, when its importer can be named
	return e
}

// open is called by the importer for each package that it meets.
func (e *exports) open(path string) (io.ReadCloser, error) {
	if e.files[path] == "" {
		if err := e.list(path); err != nil {
			return nil, err
		}
	}
	if e.files[path] == "" {
		return nil, fmt.Errorf("no export data for %s", path)
	}
	return os.Open(e.files[path])
}

func (e *exports) list(paths ...string) error {
	args := append([]string{"list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}", "--"}, paths...)
	cmd := exec.Command("go", args...)
	cmd.Dir = e.root
	cmd.Env = append(os.Environ(), "GOWORK=off") // the module alone, whatever workspace surrounds it
	out, err := cmd.Output()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		return fmt.Errorf("go list %s: %s", strings.Join(paths, " "), bytes.TrimSpace(failed.Stderr))
	}
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		e.files[path] = file
	}
	return nil
}
