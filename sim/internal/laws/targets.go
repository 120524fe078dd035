package laws

import (
	"go/ast"
	"go/build"
	"go/build/constraint"
	"path"
	"slices"
	"strings"
)

// A package is not the same files everywhere: a kernel in assembly has a plain twin for the processors without it, and
// the twin is where a product meets a sum. So the packages are read as several targets build them.
type target struct {
	os, arch string
	tags     []string
}

var targets = []target{
	{os: "linux", arch: "amd64"},
	{os: "linux", arch: "amd64", tags: []string{"noasm", "purego", "race"}},
	{os: "linux", arch: "arm64"},
	{os: "js", arch: "wasm"},
}

func (t target) String() string {
	return strings.Join(append([]string{t.os + "/" + t.arch}, t.tags...), ",")
}

// builds reports whether the target compiles the file.
func (s *sources) builds(t target, file string) (bool, error) {
	ctx := build.Default
	ctx.GOOS, ctx.GOARCH, ctx.BuildTags = t.os, t.arch, t.tags
	ctx.OpenFile, ctx.JoinPath = s.open, path.Join
	return ctx.MatchFile(path.Dir(file), path.Base(file))
}

// filesFor lists the files of one package that the target compiles.
func (s *sources) filesFor(t target, folder string) ([]string, error) {
	var files []string
	for _, file := range s.goFiles[folder] {
		ok, err := s.builds(t, file)
		if err != nil {
			return nil, err
		}
		if ok {
			files = append(files, file)
		}
	}
	return files, nil
}

// targets leaves out every target that compiles the same files as an earlier one.
func (s *sources) targets() []target {
	var distinct []target
	seen := map[string]bool{}
	for _, t := range targets {
		key := strings.Join(s.compiled(t), "\n")
		if !seen[key] {
			seen[key] = true
			distinct = append(distinct, t)
		}
	}
	return distinct
}

func (s *sources) compiled(t target) []string {
	var all []string
	for _, folder := range s.folders {
		files, _ := s.filesFor(t, folder) // an error comes back when the package is loaded
		all = append(all, files...)
	}
	return all
}

// unread finds the files that no target compiles. A file that is ignored by its own word is a program beside the
// package, such as a generator, and never part of it.
func (s *sources) unread(found *findings) {
	var read []string
	for _, t := range targets {
		read = append(read, s.compiled(t)...)
	}
	for _, folder := range s.folders {
		for _, file := range s.goFiles[folder] {
			parsed, err := s.parse(file)
			if err == nil && !slices.Contains(read, file) && !ignored(parsed) {
				found.add(parsed.Package, unread, "file %s", path.Base(file))
			}
		}
	}
}

func ignored(file *ast.File) bool {
	for _, group := range file.Comments {
		for _, c := range group.List {
			expr, err := constraint.Parse(c.Text)
			if err == nil && c.Pos() < file.Package && expr.Eval(func(tag string) bool { return tag == "ignore" }) {
				return !expr.Eval(func(string) bool { return false })
			}
		}
	}
	return false
}
