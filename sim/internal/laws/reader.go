package laws

import (
	"go/ast"
	"go/token"
	"go/types"
)

// reader walks the files of one package and shows every node to every rule that one node is enough for.
type reader struct {
	prog    *program
	pkg     *pkg
	info    *types.Info
	found   *findings
	ordered map[*ast.Ident]bool // map iterators whose order is put right by the call around them
}

func newReader(p *program, pkg *pkg, found *findings) *reader {
	return &reader{prog: p, pkg: pkg, info: pkg.info, found: found, ordered: map[*ast.Ident]bool{}}
}

func (r *reader) read(file *ast.File) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			r.imported(n)
			return false
		case *ast.Ident:
			r.named(n)
			r.predeclared(n)
		case *ast.BasicLit:
			r.literal(n)
		case *ast.CallExpr:
			r.reorders(n)
		case *ast.RangeStmt:
			r.rangesOver(n)
		}
		r.threads(n)
		return true
	})
}

func (r *reader) say(pos token.Pos, rule *rule, format string, args ...any) {
	r.found.add(pos, rule, format, args...)
}
