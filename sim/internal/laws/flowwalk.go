package laws

import (
	"go/ast"
	"go/token"
	"go/types"
)

// This file says which statements move a value, and from where to where.

// readPackage leaves out a package that does not compile: its assignments need not even have two sides.
func (f *flow) readPackage(pkg *pkg) {
	if len(pkg.errs) > 0 {
		return
	}
	f.info = pkg.info
	for _, file := range pkg.files {
		f.walk(file, nil)
	}
}

// walk reads a part of a file; results are those of the function around it.
func (f *flow) walk(part ast.Node, results *types.Tuple) {
	ast.Inspect(part, func(n ast.Node) bool {
		if body, sig := f.functionAt(n); body != nil {
			f.walk(body, sig.Results())
			return false
		}
		if at, operands := sums(f.info, n); operands != nil {
			for _, operand := range operands {
				f.add(operand, at)
			}
		}
		f.step(n, results)
		return true
	})
}

func (f *flow) functionAt(n ast.Node) (*ast.BlockStmt, *types.Signature) {
	switch n := n.(type) {
	case *ast.FuncDecl:
		if fn, ok := f.info.Defs[n.Name].(*types.Func); ok {
			return n.Body, fn.Signature()
		}
	case *ast.FuncLit:
		if sig, ok := f.info.TypeOf(n).(*types.Signature); ok {
			return n.Body, sig
		}
	}
	return nil, nil
}

func (f *flow) step(n ast.Node, results *types.Tuple) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		f.assign(n)
	case *ast.ValueSpec:
		f.declared(n)
	case *ast.ReturnStmt:
		f.spread(n.Results, tupleAt(results))
	case *ast.CallExpr:
		f.call(n)
	case *ast.RangeStmt:
		f.ranged(n)
	case *ast.CompositeLit:
		f.fields(n)
	}
}

func (f *flow) assign(n *ast.AssignStmt) {
	switch n.Tok {
	case token.ASSIGN, token.DEFINE:
		f.spread(n.Rhs, func(i int) *types.Var { return f.place(n.Lhs[i]) })
	case token.MUL_ASSIGN:
		if v := f.place(n.Lhs[0]); v != nil && someFloat(f.info.TypeOf(n.Lhs[0])) {
			text := types.ExprString(n.Lhs[0]) + " *= " + types.ExprString(n.Rhs[0])
			f.made = append(f.made, made{pos: n.Pos(), text: text, into: v})
		}
	}
}

func (f *flow) declared(n *ast.ValueSpec) {
	f.spread(n.Values, func(i int) *types.Var { return f.place(n.Names[i]) })
}

// spread moves values to variables by position. A single call may stand for several values.
func (f *flow) spread(values []ast.Expr, to func(int) *types.Var) {
	if results := f.several(values); results != nil {
		for i := range results.Len() {
			if v := to(i); v != nil {
				f.edge(results.At(i).Origin(), v.Origin())
			}
		}
		return
	}
	for i, value := range values {
		f.move(value, to(i))
	}
}

func (f *flow) several(values []ast.Expr) *types.Tuple {
	if len(values) != 1 {
		return nil
	}
	call, ok := ast.Unparen(values[0]).(*ast.CallExpr)
	if !ok {
		return nil
	}
	if sig := f.signature(call); sig != nil && sig.Results().Len() > 1 {
		return sig.Results()
	}
	return nil
}

func tupleAt(t *types.Tuple) func(int) *types.Var {
	return func(i int) *types.Var {
		if t == nil || i >= t.Len() {
			return nil
		}
		return t.At(i)
	}
}

// call moves the arguments to the parameters, and the receiver to its name in the method.
func (f *flow) call(n *ast.CallExpr) {
	sig := f.signature(n)
	if sig == nil {
		f.builtin(n)
		return
	}
	f.spread(n.Args, func(i int) *types.Var { return parameter(sig, i) })
	sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
	if !ok {
		return
	}
	if s := f.info.Selections[sel]; s != nil && s.Kind() == types.MethodVal {
		method := s.Obj().(*types.Func).Origin()
		f.move(sel.X, method.Signature().Recv())
		if types.IsInterface(s.Recv()) {
			f.dispatch(method)
		}
	}
}

func parameter(sig *types.Signature, i int) *types.Var {
	last := sig.Params().Len() - 1
	if last < 0 {
		return nil
	}
	return sig.Params().At(min(i, last)) // beyond the last: variadic
}

// dispatch joins an interface's method to all methods of its name: the compiler may know which it is.
func (f *flow) dispatch(method *types.Func) {
	for _, concrete := range f.methods[method.Name()] {
		f.alike(method.Signature(), concrete)
	}
}

// alike joins the parameters and the results of two functions that may be one.
func (f *flow) alike(a, b types.Type) {
	left, ok := a.Underlying().(*types.Signature)
	if !ok || b == nil {
		return
	}
	if right, ok := b.Underlying().(*types.Signature); ok && left != right {
		f.joined(left.Params(), right.Params())
		f.joined(right.Results(), left.Results())
	}
}

func (f *flow) joined(from, to *types.Tuple) {
	for i := range min(from.Len(), to.Len()) {
		f.edge(from.At(i).Origin(), to.At(i).Origin())
	}
}

func (f *flow) builtin(n *ast.CallExpr) {
	if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok && id.Name == "copy" && f.info.Types[n.Fun].IsBuiltin() {
		f.move(n.Args[1], f.place(n.Args[0]))
	}
}

func (f *flow) ranged(n *ast.RangeStmt) {
	if n.Value != nil {
		f.move(n.X, f.place(n.Value))
	}
}

// fields moves the values of a struct literal to the fields.
func (f *flow) fields(n *ast.CompositeLit) {
	t := f.info.TypeOf(n)
	if ptr, ok := t.Underlying().(*types.Pointer); ok { // an element of a literal, its & left out
		t = ptr.Elem()
	}
	structure, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i, elem := range n.Elts {
		field := structure.Field(min(i, structure.NumFields()-1))
		if pair, ok := elem.(*ast.KeyValueExpr); ok {
			field, _ = f.info.Uses[pair.Key.(*ast.Ident)].(*types.Var)
		}
		f.move(valueOf(elem), field)
	}
}
