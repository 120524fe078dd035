package laws

import (
	"go/ast"
	"go/token"
	"go/types"
)

// flow says from which variable to which a floating point value may go without being rounded on its way.
// Fields, parameters and results are variables as well, so a value is followed through structs and calls; the
// elements of a slice count as the variable that holds it. Order is ignored, which can only find too much.
type flow struct {
	prog    *program
	info    *types.Info
	methods map[string][]*types.Signature // of concrete types, for calls through interfaces
	edges   map[*types.Var][]*types.Var
	summed  map[*types.Var]token.Pos // where a variable is an operand of a sum
	made    []made
}

func newFlow(p *program) *flow {
	f := &flow{
		prog: p, methods: map[string][]*types.Signature{},
		edges: map[*types.Var][]*types.Var{}, summed: map[*types.Var]token.Pos{},
	}
	for _, pkg := range p.order {
		for _, file := range pkg.files {
			f.declare(pkg.info, file)
		}
	}
	return f
}

func (f *flow) declare(info *types.Info, file *ast.File) {
	for _, decl := range file.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv != nil {
			if obj, ok := info.Defs[fn.Name].(*types.Func); ok {
				f.methods[obj.Name()] = append(f.methods[obj.Name()], obj.Signature())
			}
		}
	}
}

// move lets the value go to a variable: every product in it, and whatever the variables in it may hold.
func (f *flow) move(value ast.Expr, to *types.Var) {
	if to == nil || value == nil {
		return
	}
	if to = to.Origin(); some[*types.Signature](to.Type()) {
		f.alike(to.Type(), f.info.TypeOf(value))
	}
	f.sources(value, func(m made, v *types.Var) {
		if v == nil {
			m.into = to
			f.made = append(f.made, m)
			return
		}
		f.edge(v, to)
	})
}

// edge joins two variables. Pointers and slices share what they lead to, so there the way is open in both directions.
func (f *flow) edge(from, to *types.Var) {
	if from == to || !holdsFloats(from.Type()) && !holdsFloats(to.Type()) {
		return
	}
	f.edges[from] = append(f.edges[from], to)
	if !someFloat(to.Type()) {
		f.edges[to] = append(f.edges[to], from)
	}
}

// add makes the operand part of a sum.
func (f *flow) add(operand ast.Expr, at token.Pos) {
	f.sources(operand, func(m made, v *types.Var) {
		if v == nil {
			m.sum = at
			f.made = append(f.made, m)
		} else if _, known := f.summed[v]; !known {
			f.summed[v] = at
		}
	})
}

// sources visits the products and the variables whose value the expression may hand on unrounded.
func (f *flow) sources(e ast.Expr, visit func(made, *types.Var)) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		f.sources(e.X, visit)
	case *ast.UnaryExpr: // a changed sign fuses too; the address of a variable leads to it
		f.sources(e.X, visit)
	case *ast.BinaryExpr:
		if multiplies(f.info, e) {
			visit(made{pos: e.Pos(), text: types.ExprString(e)}, nil)
		}
	case *ast.CompositeLit:
		if !some[*types.Struct](f.info.TypeOf(e)) {
			for _, elem := range e.Elts {
				f.sources(valueOf(elem), visit)
			}
		}
	case *ast.CallExpr:
		f.resultOf(e, visit)
	default:
		if v := f.place(e); v != nil && holdsFloats(v.Type()) {
			visit(made{}, v)
		}
	}
}

// resultOf visits what a call hands back. A conversion to a float is the one thing that surely rounds.
func (f *flow) resultOf(call *ast.CallExpr, visit func(made, *types.Var)) {
	kind := f.info.Types[call.Fun]
	switch {
	case kind.IsType():
		if !someFloat(kind.Type) {
			f.sources(call.Args[0], visit)
		}
	case kind.IsBuiltin():
		if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok && id.Name == "append" {
			for _, arg := range call.Args {
				f.sources(arg, visit)
			}
		}
	default:
		if v := f.place(call); v != nil {
			visit(made{}, v)
		}
	}
}

// place is the variable that an expression names, or that holds what it names.
func (f *flow) place(e ast.Expr) *types.Var {
	var obj types.Object
	switch e := e.(type) {
	case *ast.Ident:
		obj = f.info.ObjectOf(e)
	case *ast.SelectorExpr:
		obj = f.info.ObjectOf(e.Sel)
	case *ast.IndexExpr:
		return f.place(e.X)
	case *ast.SliceExpr:
		return f.place(e.X)
	case *ast.StarExpr:
		return f.place(e.X)
	case *ast.ParenExpr:
		return f.place(e.X)
	case *ast.CallExpr:
		if sig := f.signature(e); sig != nil && sig.Results().Len() > 0 {
			obj = sig.Results().At(0)
		}
	}
	if v, ok := obj.(*types.Var); ok {
		return v.Origin()
	}
	return nil
}

// signature is that of the function that a call calls, or nil if it is a conversion or a builtin.
func (f *flow) signature(call *ast.CallExpr) *types.Signature {
	kind := f.info.Types[call.Fun]
	if kind.IsType() || kind.IsBuiltin() || kind.Type == nil {
		return nil
	}
	sig, _ := kind.Type.Underlying().(*types.Signature)
	return sig
}

func valueOf(elem ast.Expr) ast.Expr {
	if pair, ok := elem.(*ast.KeyValueExpr); ok {
		return pair.Value
	}
	return elem
}
