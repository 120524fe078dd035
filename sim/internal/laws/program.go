package laws

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// program is the module as one target builds it. Its packages share one world of objects, so that a value can be
// followed from one package into another. What lies outside the module comes from the compiler's export data.
type program struct {
	src     *sources
	target  target
	outside types.Importer
	pkgs    map[string]*pkg // by folder
	loading map[string]bool // to meet an import cycle with an error
	order   []*pkg          // dependencies first
}

type pkg struct {
	folder string
	files  []*ast.File
	types  *types.Package
	info   *types.Info
	errs   []error
}

func newProgram(src *sources, t target, outside types.Importer) *program {
	return &program{src: src, target: t, outside: outside, pkgs: map[string]*pkg{}, loading: map[string]bool{}}
}

// loadAll type-checks the surveyed packages and what they import. A package that fails is kept as far as it goes.
func (p *program) loadAll() error {
	var failed error
	for _, folder := range p.src.folders {
		if _, err := p.load(folder); err != nil && failed == nil {
			failed = err
		}
	}
	return failed
}

// surveyed lists the packages that the laws are for: those that were asked for, and not what they import beside.
func (p *program) surveyed() []*pkg {
	var pkgs []*pkg
	for _, folder := range p.src.folders {
		if pkg := p.pkgs[folder]; pkg != nil {
			pkgs = append(pkgs, pkg)
		}
	}
	return pkgs
}

// Import makes the program the importer of its own packages.
func (p *program) Import(path string) (*types.Package, error) {
	folder, ours := strings.CutPrefix(path, p.src.module+"/")
	if !ours {
		return p.outside.Import(path)
	}
	pkg, err := p.load(folder)
	if pkg == nil {
		return nil, err
	}
	return pkg.types, nil // its own errors are told once, by loadAll
}

func (p *program) load(folder string) (*pkg, error) {
	if pkg := p.pkgs[folder]; pkg != nil {
		return pkg, pkg.err(p.target)
	}
	if p.loading[folder] {
		return nil, fmt.Errorf("%s imports itself", folder)
	}
	p.loading[folder] = true
	defer delete(p.loading, folder)
	pkg := &pkg{folder: folder, info: newInfo()}
	if err := p.parse(pkg); err != nil {
		return nil, err
	}
	p.check(pkg)
	p.pkgs[folder] = pkg
	p.order = append(p.order, pkg)
	return pkg, pkg.err(p.target)
}

func (p *program) parse(pkg *pkg) error {
	p.src.list(pkg.folder)
	names, err := p.src.filesFor(p.target, pkg.folder)
	if err != nil {
		return err
	}
	for _, name := range names {
		file, err := p.src.parse(name)
		if err != nil {
			return fmt.Errorf("parsing: %w", err)
		}
		pkg.files = append(pkg.files, file)
	}
	return nil
}

func (p *program) check(pkg *pkg) {
	conf := types.Config{
		Importer:    p,
		FakeImportC: true, // the import itself is the finding
		Error:       func(err error) { pkg.errs = append(pkg.errs, err) },
	}
	pkg.types, _ = conf.Check(p.src.module+"/"+pkg.folder, p.src.fset, pkg.files, pkg.info)
}

func (pkg *pkg) err(t target) error {
	if len(pkg.errs) == 0 {
		return nil
	}
	return fmt.Errorf("%s does not type-check for %s: %w (first of %d); build it first", pkg.folder, t, pkg.errs[0], len(pkg.errs))
}

func newInfo() *types.Info {
	return &types.Info{
		Types:      map[ast.Expr]types.TypeAndValue{},
		Defs:       map[*ast.Ident]types.Object{},
		Uses:       map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
}
