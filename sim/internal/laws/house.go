package laws

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// house is the whole repository as the rules of its shape see it: every Go file but what is generated or planted, tests
// too. Nothing is type-checked.
type house struct {
	fsys    fs.FS
	module  string
	fset    *token.FileSet
	folders []string // in order
	files   map[string][]*room
	found   *findings
}

// room is one file.
type room struct {
	name string // below the module's root, with slashes
	text string
	ast  *ast.File
	test bool
}

// CheckHouse applies the rules of shape to the whole module at root: how large a thing may be, which package may import
// which, and how much of a package a user meets.
func CheckHouse(root string) (Report, error) {
	h, err := readHouse(os.DirFS(root))
	if err != nil {
		return Report{}, fmt.Errorf("sim/internal/laws: reading the sources: %w", err)
	}
	read := 0
	for _, folder := range h.folders {
		for _, r := range h.files[folder] {
			h.lines(r)
			h.functions(r)
			h.arrows(folder, r)
			read++
		}
		h.types(folder)
		h.enumerations(folder)
		h.surface(folder)
	}
	return Report{Findings: h.found.sorted(), Read: h.folders, Files: read}, nil
}

func readHouse(fsys fs.FS) (*house, error) {
	module, err := modulePath(fsys)
	if err != nil {
		return nil, err
	}
	h := &house{fsys: fsys, module: module, fset: token.NewFileSet(), files: map[string][]*room{}}
	h.found = &findings{seen: map[place]bool{}}
	if err := fs.WalkDir(fsys, ".", h.visit); err != nil {
		return nil, err
	}
	slices.Sort(h.folders)
	return h, nil
}

func (h *house) visit(name string, entry fs.DirEntry, err error) error {
	base := path.Base(name)
	switch {
	case err != nil:
		return err
	case entry.IsDir() && name != "." && (base == "testdata" || base[0] == '_' || base[0] == '.'):
		return fs.SkipDir
	case entry.IsDir() || !strings.HasSuffix(base, ".go"):
		return nil
	}
	return h.read(name)
}

func (h *house) read(name string) error {
	text, err := fs.ReadFile(h.fsys, name)
	if err != nil {
		return err
	}
	file, err := parser.ParseFile(h.fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	if ast.IsGenerated(file) {
		return nil
	}
	folder := path.Dir(name)
	if h.files[folder] == nil {
		h.folders = append(h.folders, folder)
	}
	h.files[folder] = append(h.files[folder], &room{name, string(text), file, strings.HasSuffix(name, "_test.go")})
	return nil
}

// product is the package's files but for its tests.
func (h *house) product(folder string) []*room {
	return slices.DeleteFunc(slices.Clone(h.files[folder]), func(r *room) bool { return r.test })
}

func (h *house) say(pos token.Pos, r *rule, format string, args ...any) {
	h.found.tell(h.fset.PositionFor(pos, false), r, fmt.Sprintf(format, args...))
}

// command tells whether a folder holds a program.
func (h *house) command(folder string) bool { return h.files[folder][0].ast.Name.Name == "main" }

// within tells whether a folder is one of these, or below one of them.
func within(folder string, of []string) bool {
	return slices.ContainsFunc(of, func(x string) bool { return folder == x || strings.HasPrefix(folder, x+"/") })
}
