package laws

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// globals finds package variables that change after the program has started. The finding stands at the declaration,
// with the first place that changes it; that place may lie in another file or another package.
func (p *program) globals(found *findings) {
	changed := &changes{first: map[*types.Var]token.Pos{}}
	for _, pkg := range p.order {
		changed.info = pkg.info
		for _, file := range pkg.files {
			changed.read(file)
		}
	}
	for _, pkg := range p.surveyed() {
		scope := pkg.types.Scope()
		for _, name := range scope.Names() {
			if v, ok := scope.Lookup(name).(*types.Var); ok {
				p.judge(v, changed, found)
			}
		}
	}
}

func (p *program) judge(v *types.Var, changed *changes, found *findings) {
	if at, ok := changed.first[v]; ok {
		found.add(v.Pos(), global, "package variable %s, changed at %s", v.Name(), p.line(at))
	} else if drawsAtRandom(v.Type()) {
		found.add(v.Pos(), global, "package variable %s, changed by every draw", v.Name())
	}
}

func (p *program) line(pos token.Pos) string {
	at := p.src.fset.PositionFor(pos, false)
	return fmt.Sprintf("%s:%d", at.Filename, at.Line)
}

// changes collects the package variables that some statement writes.
type changes struct {
	info  *types.Info
	first map[*types.Var]token.Pos
}

// read takes in one file. A function init runs before anything else, so what it writes counts as a declaration.
func (c *changes) read(file *ast.File) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			return n.Recv != nil || n.Name.Name != "init"
		case *ast.AssignStmt:
			c.assigned(n)
		case *ast.IncDecStmt:
			c.written(n.X)
		case *ast.RangeStmt:
			c.ranged(n)
		case *ast.CallExpr:
			c.called(n)
		}
		return true
	})
}

func (c *changes) assigned(n *ast.AssignStmt) {
	if n.Tok == token.DEFINE {
		return
	}
	for _, left := range n.Lhs {
		c.written(left)
	}
}

func (c *changes) ranged(n *ast.RangeStmt) {
	if n.Tok == token.ASSIGN {
		c.written(n.Key)
		c.written(n.Value)
	}
}

// called finds the builtins that write their first argument, and functions and methods that get the address of a
// variable. An address that is only kept or compared is how tables point to their entries.
func (c *changes) called(call *ast.CallExpr) {
	for _, arg := range call.Args {
		if address, ok := ast.Unparen(arg).(*ast.UnaryExpr); ok && address.Op == token.AND {
			c.lent(address.X)
		}
	}
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		if _, ok := c.info.Uses[fun].(*types.Builtin); ok && listed("clear copy delete", fun.Name) {
			c.written(call.Args[0])
		}
	case *ast.SelectorExpr:
		if s := c.info.Selections[fun]; s != nil && s.Kind() == types.MethodVal && takesAddress(s) {
			c.lent(fun.X)
		}
	}
}

// takesAddress reports whether a method with a pointer receiver is called on a variable that is not a pointer.
func takesAddress(s *types.Selection) bool {
	recv := s.Obj().(*types.Func).Signature().Recv().Type()
	return some[*types.Pointer](recv) && !some[*types.Pointer](s.Recv()) && !types.IsInterface(s.Recv())
}

// lent takes a whole variable as changed when its address is handed out; the address of one entry is how tables are read.
func (c *changes) lent(x ast.Expr) {
	switch ast.Unparen(x).(type) {
	case *ast.Ident, *ast.SelectorExpr:
		if c.packageVar(x) != nil {
			c.written(x)
		}
	}
}

func (c *changes) written(left ast.Expr) {
	if left == nil {
		return
	}
	v := c.packageVar(root(c.info, left))
	if v == nil {
		return
	}
	if _, known := c.first[v]; !known {
		c.first[v] = left.Pos()
	}
}

// packageVar is the package variable that an expression names, or nil.
func (c *changes) packageVar(x ast.Expr) *types.Var {
	id, ok := ast.Unparen(x).(*ast.Ident)
	if sel, isSel := ast.Unparen(x).(*ast.SelectorExpr); isSel {
		id, ok = sel.Sel, true
	}
	if !ok {
		return nil
	}
	v, ok := c.info.Uses[id].(*types.Var)
	if !ok || v.Pkg() == nil || v.Parent() != v.Pkg().Scope() {
		return nil
	}
	return v
}

// root strips fields, indices and dereferences from the left side of an assignment.
func root(info *types.Info, x ast.Expr) ast.Expr {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return root(info, x.X)
	case *ast.IndexExpr:
		return root(info, x.X)
	case *ast.SliceExpr:
		return root(info, x.X)
	case *ast.StarExpr:
		return root(info, x.X)
	case *ast.SelectorExpr:
		if info.Selections[x] != nil {
			return root(info, x.X)
		}
	}
	return x
}

// drawsAtRandom reports whether the type is a generator of package math/rand: each draw changes it.
func drawsAtRandom(t types.Type) bool {
	if ptr, ok := t.(*types.Pointer); ok {
		t = ptr.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && matches("math/rand/...", named.Obj().Pkg().Path())
}
