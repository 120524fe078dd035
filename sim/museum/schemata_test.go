package museum

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const own = `package p

func (x *T) f(n int) {
	x.n = n
}

func g() int { return 1 }
`

func schemaOf(t *testing.T, plants map[string][]Edit) (map[string][]byte, error) {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "p.go"), []byte(own), 0o644))
	s := schemata{root: dir, names: slices.Sorted(maps.Keys(plants)), files: map[string]*schema{}}
	for _, name := range s.names {
		if err := s.add(name, plants[name]); err != nil {
			return nil, err
		}
	}
	changed, err := s.write()
	short := map[string][]byte{}
	for path, text := range changed {
		short[filepath.Base(path)] = []byte(strings.ReplaceAll(string(text), path, "p.go"))
	}
	return short, err
}

func TestAFunctionHoldsTheBodiesOfAllPlantsAndItsPlacesStay(t *testing.T) {
	changed, err := schemaOf(t, map[string][]Edit{
		"one": {{File: "p.go", Func: "T.f", Old: "x.n = n", New: "x.n++\n\tx.n = n"}, {File: "p.go", Func: "g", Old: "1", New: "2"}},
		"two": {{File: "p.go", Func: "g", Old: "1", New: "3"}},
	})
	require.NoError(t, err)
	require.Equal(t, `package p

func (x *T) f(n int) {
	switch planted {
	case 1:
/*line p.go:3:22*/{
	x.n++
	x.n = n
}
		return
	}
/*line p.go:3:23*/
	x.n = n
}

func g() int {
	switch planted {
	case 1:
/*line p.go:8:14*/{ return 2 }
	case 2:
/*line p.go:7:14*/{ return 3 }
	}
/*line p.go:7:15*/ return 1 }
`, string(changed["p.go"]))
	require.Contains(t, string(changed["planted_by_the_museum.go"]), "case \"two\":\n\t\treturn 2\n")
}

func TestAPlantMayNotChangeWhatAFunctionTakes(t *testing.T) {
	_, err := schemaOf(t, map[string][]Edit{"one": {{File: "p.go", Func: "T.f", Old: "(n int)", New: "(n int64)"}}})
	require.ErrorContains(t, err, "an edit reaches beyond the function's body")
}

// A name that is written wrongly must not quietly run the engine as it is.
func TestABuildRefusesAPlantThatItDoesNotHold(t *testing.T) {
	e := engines(t)
	_, err := e.Probe("d99", "--seeds", "1")
	require.ErrorContains(t, err, "this build has no plant d99")
	cmd := exec.Command(e.binary, "probe", "--seeds", "1")
	cmd.Env = append(os.Environ(), Chosen+"=d99")
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), Chosen+": this build has no plant d99")
}

// Whatever stands before them in the overlay, the functions' own statements are told at their own places.
func TestPlantsMoveNoPlaceInTheSource(t *testing.T) {
	plants := opened(t).Plants()
	s := schemata{root: root, names: slices.Sorted(maps.Keys(plants)), files: map[string]*schema{}}
	for _, name := range s.names {
		require.NoError(t, s.add(name, plants[name]))
	}
	changed, err := s.write()
	require.NoError(t, err)
	for path, file := range s.files {
		require.Equal(t, placesOf(t, path, file.source), placesOf(t, path, changed[path]), path)
	}
}

// placesOf is where the last statement of each function stands.
func placesOf(t *testing.T, path string, source []byte) map[string]string {
	t.Helper()
	set, places := token.NewFileSet(), map[string]string{}
	file, err := parser.ParseFile(set, path, source, parser.SkipObjectResolution)
	require.NoError(t, err)
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && len(f.Body.List) > 0 {
			places[nameOf(f)] = set.Position(f.Body.List[len(f.Body.List)-1].Pos()).String()
		}
	}
	return places
}

// In the one build a plant stands beside the others. Alone it must compile too, as whoever visits it builds it: the engine
// moves on, and an edit's text may be gone from it, or may have left an import or a variable unused.
func TestEveryPlantCompilesAlone(t *testing.T) {
	packages := listPackages(t)
	for plant, edits := range opened(t).Plants() {
		changed, err := edited(root, edits)
		require.NoError(t, err, plant)
		for _, p := range packages {
			require.NoError(t, p.check(changed), plant)
		}
	}
}

// checkedPackage is a package that plants edit, with what the compiler knows of those that it imports.
type checkedPackage struct {
	dir     string
	files   []string
	exports map[string]string
}

// listPackages asks the go command, which builds what is imported.
func listPackages(t *testing.T) []*checkedPackage {
	t.Helper()
	format := "{{.ImportPath}}|{{.Dir}}|{{.Export}}|{{join .GoFiles \" \"}}"
	cmd := exec.Command("go", "list", "-export", "-deps", "-f", format, "./cache", "./scheduler", "./model/...")
	cmd.Dir = root
	out, err := cmd.Output()
	require.NoError(t, err)
	exports := map[string]string{}
	var all []*checkedPackage
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		f := strings.Split(line, "|")
		exports[f[0]] = f[2]
		if strings.HasPrefix(f[0], "custody/") {
			all = append(all, &checkedPackage{dir: f[1], files: strings.Fields(f[3]), exports: exports})
		}
	}
	return all
}

// check reads the package with the changed sources in place of its own, if any of them is its.
func (p *checkedPackage) check(changed map[string][]byte) error {
	set, planted := token.NewFileSet(), false
	var files []*ast.File
	for _, name := range p.files {
		path := filepath.Join(p.dir, name)
		var source any
		if text, ok := changed[path]; ok {
			source, planted = text, true
		}
		file, err := parser.ParseFile(set, path, source, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, file)
	}
	if !planted {
		return nil
	}
	open := func(path string) (io.ReadCloser, error) { return os.Open(p.exports[path]) }
	config := types.Config{Importer: importer.ForCompiler(set, "gc", open)}
	_, err := config.Check(p.dir, set, files, nil)
	if err != nil {
		return fmt.Errorf("it does not compile: %w", err)
	}
	return nil
}
