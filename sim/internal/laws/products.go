package laws

import (
	"go/ast"
	"go/token"
	"go/types"
)

// The compiler may fuse a product with a sum that it reaches, and it sees far: through variables, fields, elements,
// inlined functions and their arguments, closures, and interfaces whose type it can tell. Every one of these ways was
// seen to become one FMADD on arm64. So a product is followed along all of them (flow.go); only a conversion, which
// the language defines to round, or another operation ends its way.

// products finds the floating point products that meet a sum or a difference unrounded.
// The finding stands at the product, for that is where the conversion belongs.
func (p *program) products(found *findings) {
	f := newFlow(p)
	for _, pkg := range p.order {
		f.readPackage(pkg)
	}
	for _, m := range f.made {
		if sum := f.meets(m); sum.IsValid() {
			found.add(m.pos, product, "product %s meets the sum at %s", m.text, p.line(sum))
		}
	}
}

// made is one product in the sources, and where its value goes first.
type made struct {
	pos  token.Pos
	text string
	into *types.Var // the variable that takes it up, or
	sum  token.Pos  // the sum that it stands in
}

// multiplies reports whether the expression is a product that is computed in floating point.
func multiplies(info *types.Info, e *ast.BinaryExpr) bool {
	return e.Op == token.MUL && computed(info, e)
}

// computed leaves out constants, which the compiler computes exactly.
func computed(info *types.Info, e ast.Expr) bool {
	return info.Types[e].Value == nil && someFloat(info.TypeOf(e))
}

// sums lists the operands that the node adds or subtracts in floating point.
func sums(info *types.Info, n ast.Node) (at token.Pos, operands []ast.Expr) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if (n.Op == token.ADD || n.Op == token.SUB) && computed(info, n) {
			return n.OpPos, []ast.Expr{n.X, n.Y}
		}
	case *ast.AssignStmt:
		if (n.Tok == token.ADD_ASSIGN || n.Tok == token.SUB_ASSIGN) && someFloat(info.TypeOf(n.Lhs[0])) {
			return n.TokPos, []ast.Expr{n.Lhs[0], n.Rhs[0]}
		}
	case *ast.IncDecStmt:
		if someFloat(info.TypeOf(n.X)) {
			return n.TokPos, []ast.Expr{n.X}
		}
	}
	return token.NoPos, nil
}

// meets returns the first sum that the product reaches.
func (f *flow) meets(m made) token.Pos {
	if m.into == nil {
		return m.sum
	}
	seen := map[*types.Var]bool{m.into: true}
	for queue := []*types.Var{m.into}; len(queue) > 0; queue = queue[1:] {
		if at, ok := f.summed[queue[0]]; ok {
			return at
		}
		for _, next := range f.edges[queue[0]] {
			if !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	return token.NoPos
}
