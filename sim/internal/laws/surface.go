package laws

import (
	"go/ast"
	"go/doc"
	"go/token"
	"path"
	"slices"
	"strings"
)

// tools are packages that stand beside the library: who tests an engine of his own does not import them.
var tools = []string{
	"cmd", "model/bits", "model/kernel", "model/numeric", "model/recall", "model/train", "sim/museum", "sim/internal",
}

// surface counts what go doc shows of a package that a user imports, and looks for an example.
func (h *house) surface(folder string) {
	product := h.product(folder)
	if within(folder, tools) || len(product) == 0 || h.command(folder) {
		return
	}
	var files []*ast.File
	examples := 0
	for _, r := range h.files[folder] {
		if r.test {
			examples += len(doc.Examples(r.ast))
		} else {
			files = append(files, r.ast)
		}
	}
	if examples == 0 {
		h.say(product[0].ast.Package, noExample, "package %s", folder)
	}
	if n := h.shown(folder, files); n > mostExported {
		h.say(product[0].ast.Package, wide, "package %s of %d exported names", folder, n)
	}
}

// shown is the number of names that go doc shows: a type stands for its functions, methods and values, a group of
// constants or variables for all of them.
func (h *house) shown(folder string, files []*ast.File) int {
	p, err := doc.NewFromFiles(h.fset, files, path.Join(h.module, folder), doc.PreserveAST)
	if err != nil {
		return 0 // what cannot be read together, the compiler says better
	}
	return len(p.Consts) + len(p.Vars) + len(p.Types) + len(p.Funcs)
}

// enumerations finds exported integer types some of whose values nobody else can name. The count of the values, whose
// name begins with num, is none of them.
func (h *house) enumerations(folder string) {
	if within(folder, tools) {
		return
	}
	of := map[string]bool{}
	for _, r := range h.product(folder) {
		for spec := range typesOf(r.ast) {
			if id, ok := spec.Type.(*ast.Ident); ok && spec.Name.IsExported() && slices.Contains(integers, id.Name) {
				of[spec.Name.Name] = true
			}
		}
	}
	for _, r := range h.product(folder) {
		h.values(r.ast, of)
	}
}

var integers = []string{
	"int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "byte", "rune",
}

// enumerated is the type of the values that begin on this line, if they are counted.
func enumerated(v *ast.ValueSpec) string {
	id, ok := v.Type.(*ast.Ident)
	if !ok {
		return ""
	}
	counted := false
	for _, x := range v.Values {
		ast.Inspect(x, func(n ast.Node) bool {
			if i, ok := n.(*ast.Ident); ok && i.Name == "iota" {
				counted = true
			}
			return true
		})
	}
	if !counted {
		return ""
	}
	return id.Name
}

// values finds constants of these types that are not exported.
func (h *house) values(file *ast.File, of map[string]bool) {
	for _, d := range file.Decls {
		group, ok := d.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST {
			continue
		}
		kind := "" // of the constants: a line without a type or a value repeats the one before
		for _, spec := range group.Specs {
			v := spec.(*ast.ValueSpec)
			if v.Type != nil || v.Values != nil {
				kind = enumerated(v)
			}
			for _, id := range v.Names {
				if of[kind] && !id.IsExported() && id.Name != "_" && !strings.HasPrefix(id.Name, "num") {
					h.say(id.Pos(), hidden, "value %s of the exported type %s", id.Name, kind)
				}
			}
		}
	}
}
