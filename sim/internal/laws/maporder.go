package laws

import (
	"go/ast"
	"go/types"
)

// An iterator over a map is lawful when the call around it sorts what comes out, or puts it into a map again.
var reordering = map[string]string{
	"slices.Sorted":           "maps.Keys maps.Values",
	"slices.SortedFunc":       "maps.Keys maps.Values",
	"slices.SortedStableFunc": "maps.Keys maps.Values",
	"maps.Collect":            "maps.All",
	"maps.Insert":             "maps.All",
}

// reorders notes the iterators that this call puts right. The walk meets the call before its arguments.
func (r *reader) reorders(call *ast.CallExpr) {
	_, outer := r.function(call)
	for _, arg := range call.Args {
		if inner, ok := ast.Unparen(arg).(*ast.CallExpr); ok {
			if id, name := r.function(inner); id != nil && listed(reordering[outer], name) {
				r.ordered[id] = true
			}
		}
	}
}

// function names the function of a package that a call calls, and finds its identifier.
func (r *reader) function(call *ast.CallExpr) (*ast.Ident, string) {
	fun := ast.Unparen(call.Fun)
	if index, ok := fun.(*ast.IndexExpr); ok {
		fun = index.X
	}
	if index, ok := fun.(*ast.IndexListExpr); ok {
		fun = index.X
	}
	sel, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return nil, ""
	}
	fn, ok := r.info.Uses[sel.Sel].(*types.Func)
	if !ok || fn.Pkg() == nil {
		return nil, ""
	}
	return sel.Sel, fn.Pkg().Path() + "." + fn.Name()
}
