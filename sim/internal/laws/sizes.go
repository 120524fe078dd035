package laws

import (
	"go/ast"
	"go/token"
	"strings"
	"unicode/utf8"
)

// How large a thing may be: what a reader can hold in his head, or on his screen.
const (
	mostColumns  = 130 // characters; a tab is one
	mostLines    = 50  // of a function
	mostFields   = 20
	mostMethods  = 40
	mostExported = 30 // names that go doc shows of a package
)

// numeric are the packages in which a type is a workspace: what one computation needs at once.
var numeric = []string{"model/kernel", "model/numeric", "model/train"}

// lines finds what does not fit on a screen.
func (h *house) lines(r *room) {
	file := h.fset.File(r.ast.FileStart)
	n := 0
	for line := range strings.Lines(r.text) {
		n++
		if long := utf8.RuneCountInString(strings.TrimRight(line, "\n")); long > mostColumns {
			h.say(file.LineStart(n), longLine, "a line of %d columns", long)
		}
	}
}

// functions finds those that cannot be read at a glance. The table of a test's cases is data, and does not count.
func (h *house) functions(r *room) {
	for _, d := range r.ast.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		long := h.height(fn)
		if r.test {
			long -= h.cases(fn)
		}
		if long > mostLines {
			h.say(fn.Pos(), longFunction, "function %s of %d lines", fn.Name.Name, long)
		}
	}
}

func (h *house) height(n ast.Node) int { return h.line(n.End()) - h.line(n.Pos()) + 1 }

// cases are the lines of tables in a function.
func (h *house) cases(fn *ast.FuncDecl) (lines int) {
	ast.Inspect(fn, func(n ast.Node) bool {
		table, ok := n.(*ast.CompositeLit)
		if ok {
			lines += h.height(table) - 1
		}
		return !ok
	})
	return lines
}

func (h *house) line(pos token.Pos) int { return h.fset.PositionFor(pos, false).Line }

// types finds those that are more than one idea.
func (h *house) types(folder string) {
	if within(folder, numeric) {
		return
	}
	methods := map[string]int{}
	for _, r := range h.files[folder] {
		for _, d := range r.ast.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil {
				methods[receiver(fn)]++
			}
		}
	}
	for _, r := range h.files[folder] {
		for spec := range typesOf(r.ast) {
			h.measure(spec, methods[spec.Name.Name])
		}
	}
}

func (h *house) measure(spec *ast.TypeSpec, methods int) {
	fields := 0
	switch t := spec.Type.(type) {
	case *ast.StructType:
		fields = t.Fields.NumFields()
	case *ast.InterfaceType:
		methods += t.Methods.NumFields()
	}
	if fields > mostFields {
		h.say(spec.Pos(), largeType, "type %s of %d fields", spec.Name.Name, fields)
	}
	if methods > mostMethods {
		h.say(spec.Pos(), largeType, "type %s of %d methods", spec.Name.Name, methods)
	}
}

// receiver is the name of a method's type.
func receiver(fn *ast.FuncDecl) string {
	t := fn.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// typesOf visits the types that a file declares for its package.
func typesOf(file *ast.File) func(yield func(*ast.TypeSpec) bool) {
	return func(yield func(*ast.TypeSpec) bool) {
		for _, d := range file.Decls {
			group, ok := d.(*ast.GenDecl)
			if !ok || group.Tok != token.TYPE {
				continue
			}
			for _, spec := range group.Specs {
				if !yield(spec.(*ast.TypeSpec)) {
					return
				}
			}
		}
	}
}
