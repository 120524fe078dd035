package laws

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// sources are the files of one module. Each is read and parsed once, whatever number of targets compile it.
type sources struct {
	fsys     fs.FS
	module   string
	fset     *token.FileSet
	folders  []string            // the surveyed packages, in order
	goFiles  map[string][]string // by folder; no tests
	assembly []string
	parsed   map[string]*ast.File
	failed   map[string]error
}

// survey lists the packages below the folders. Folders that are exempt as a whole are not entered.
func survey(fsys fs.FS, folders []string) (*sources, error) {
	s := &sources{
		fsys: fsys, fset: token.NewFileSet(),
		goFiles: map[string][]string{}, parsed: map[string]*ast.File{}, failed: map[string]error{},
	}
	var err error
	if s.module, err = modulePath(fsys); err != nil {
		return nil, err
	}
	for _, folder := range folders {
		if err := fs.WalkDir(fsys, folder, s.visit); err != nil {
			return nil, err
		}
	}
	if len(s.folders) == 0 {
		return nil, fmt.Errorf("no package below the folders %q", folders)
	}
	slices.Sort(s.folders)
	s.folders = slices.Compact(s.folders)
	return s, nil
}

func (s *sources) visit(name string, entry fs.DirEntry, err error) error {
	if err != nil {
		return err
	}
	base := path.Base(name)
	if entry.IsDir() {
		if base == "testdata" || strings.HasPrefix(base, "_") || strings.HasPrefix(base, ".") || exemptFolder(name) {
			return fs.SkipDir
		}
		if s.list(name); len(s.goFiles[name]) > 0 {
			s.folders = append(s.folders, name)
		}
	} else if strings.HasSuffix(base, ".s") {
		s.assembly = append(s.assembly, name)
	}
	return nil
}

// list finds the Go files of one folder, the tests left out. An import may ask for a folder that was not surveyed.
func (s *sources) list(folder string) {
	if _, done := s.goFiles[folder]; done {
		return
	}
	names, _ := fs.Glob(s.fsys, folder+"/*.go") // fails only on a malformed pattern
	var files []string
	for _, name := range names {
		if !strings.HasSuffix(name, "_test.go") {
			files = append(files, name)
		}
	}
	s.goFiles[folder] = files
}

func (s *sources) parse(file string) (*ast.File, error) {
	if s.parsed[file] == nil && s.failed[file] == nil {
		text, err := fs.ReadFile(s.fsys, file)
		if err == nil {
			s.parsed[file], err = parser.ParseFile(s.fset, file, text, parser.ParseComments|parser.SkipObjectResolution)
		}
		s.failed[file] = err
	}
	return s.parsed[file], s.failed[file]
}

func (s *sources) open(name string) (io.ReadCloser, error) {
	return s.fsys.Open(name)
}

// imports lists what the surveyed packages import from outside the module.
func (s *sources) imports() []string {
	var paths []string
	for _, folder := range s.folders {
		for _, name := range s.goFiles[folder] {
			file, err := s.parse(name)
			if err != nil {
				continue // told when the package is loaded
			}
			for _, spec := range file.Imports {
				path := importPath(spec)
				if !strings.HasPrefix(path, s.module+"/") && path != "C" && path != "unsafe" {
					paths = append(paths, path)
				}
			}
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

func importPath(spec *ast.ImportSpec) string {
	path, _ := strconv.Unquote(spec.Path.Value) // the parser has checked it
	return path
}

func (s *sources) count() int {
	n := len(s.assembly)
	for _, folder := range s.folders {
		n += len(s.goFiles[folder])
	}
	return n
}

func modulePath(fsys fs.FS) (string, error) {
	text, err := fs.ReadFile(fsys, "go.mod")
	if err != nil {
		return "", fmt.Errorf("the root of a module is wanted: %w", err)
	}
	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "module "); ok {
			return strings.Trim(strings.TrimSpace(name), `"`), nil
		}
	}
	return "", errors.New("go.mod names no module")
}
