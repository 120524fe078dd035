package laws

import (
	"go/ast"
	"go/token"
	"go/types"
)

// threads finds the language's own means of concurrency.
func (r *reader) threads(n ast.Node) {
	switch n := n.(type) {
	case *ast.GoStmt:
		r.say(n.Go, concurrency, "go statement")
	case *ast.SelectStmt:
		r.say(n.Select, concurrency, "select")
	case *ast.ChanType:
		r.say(n.Begin, concurrency, "channel type")
	case *ast.SendStmt:
		r.say(n.Arrow, concurrency, "send on a channel")
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			r.say(n.OpPos, concurrency, "receive from a channel")
		}
	}
}

// rangesOver finds loops whose order, or whose pace, does not come from the program.
func (r *reader) rangesOver(n *ast.RangeStmt) {
	switch {
	case some[*types.Map](r.info.TypeOf(n.X)):
		r.say(n.For, mapOrder, "range over a map")
	case some[*types.Chan](r.info.TypeOf(n.X)):
		r.say(n.For, concurrency, "range over a channel")
	}
}

// predeclared finds the names of the language that break a law by themselves.
func (r *reader) predeclared(id *ast.Ident) {
	obj := r.info.Uses[id]
	if obj == nil || obj.Parent() != types.Universe {
		return
	}
	switch id.Name {
	case "close":
		r.say(id.Pos(), concurrency, "close of a channel")
	case "complex", "complex64", "complex128":
		r.say(id.Pos(), complexNumber, "%s", id.Name)
	case "print", "println":
		r.say(id.Pos(), outside, "%s writes to the terminal", id.Name)
	}
}

func (r *reader) literal(n *ast.BasicLit) {
	if n.Kind == token.IMAG {
		r.say(n.Pos(), complexNumber, "imaginary number %s", n.Value)
	}
}
