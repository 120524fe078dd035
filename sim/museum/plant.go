package museum

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Plant writes copies of the sources under root with the edits made, and an overlay file that puts them in place of the
// originals, all into dir. It returns the overlay's path, for the compiler's -overlay flag.
func Plant(root, dir string, edits []Edit) (string, error) {
	changed, err := edited(root, edits)
	if err != nil {
		return "", err
	}
	return writeOverlay(dir, changed)
}

// edited is the sources under root with the edits made, by path.
func edited(root string, edits []Edit) (map[string][]byte, error) {
	changed := map[string][]byte{}
	for _, e := range edits {
		path, err := filepath.Abs(filepath.Join(root, e.File))
		if err != nil {
			return nil, err
		}
		source, ok := changed[path]
		if !ok {
			if source, err = os.ReadFile(path); err != nil { // an overlay of a path that is not there is silently ignored
				return nil, err
			}
		}
		if changed[path], err = e.apply(source); err != nil {
			return nil, err
		}
	}
	return changed, nil
}

func writeOverlay(dir string, changed map[string][]byte) (string, error) {
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for path, source := range changed {
		copied := filepath.Join(dir, fmt.Sprintf("%d-%s", len(overlay.Replace), filepath.Base(path)))
		if err := os.WriteFile(copied, source, 0o644); err != nil {
			return "", err
		}
		overlay.Replace[path] = copied
	}
	data, err := json.Marshal(overlay)
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "overlay.json")
	return file, os.WriteFile(file, data, 0o644)
}

// apply makes the edit in a source.
func (e *Edit) apply(source []byte) ([]byte, error) {
	f, err := findFunction(e.File, e.Func, source)
	if err != nil {
		return nil, err
	}
	pattern, err := e.pattern()
	if err != nil {
		return nil, fmt.Errorf("museum: %s: %s: the text to replace: %w", e.File, e.Func, err)
	}
	text := source[f.start.Offset:f.end.Offset]
	found := pattern.FindAllIndex(text, -1)
	if len(found) != 1 {
		return nil, fmt.Errorf("museum: %s: %s: the text to replace occurs %d times, expected once: %s",
			e.File, e.Func, len(found), strings.TrimSpace(e.Old))
	}
	planted := slices.Concat(text[:found[0][0]], []byte(strings.TrimSpace(e.New)), text[found[0][1]:])
	if slices.Equal(tokens(planted), tokens(text)) {
		return nil, fmt.Errorf("museum: %s: %s: the edit changes nothing that the compiler reads: it is no defect", e.File, e.Func)
	}
	return slices.Concat(source[:f.start.Offset], planted, source[f.end.Offset:]), nil
}

// tokens is what a compiler reads of a text, whatever its comments and white space.
func tokens(text []byte) []string {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(text))
	s.Init(file, text, func(token.Position, string) {}, 0)
	var all []string
	for {
		_, t, literal := s.Scan()
		if t == token.EOF {
			return all
		}
		if t == token.SEMICOLON { // a line's end is one too
			literal = ""
		}
		all = append(all, t.String()+literal)
	}
}

// function is where a function stands in its source.
type function struct {
	start, open, end token.Position // of the whole, and of the brace that opens its body
	result           bool           // it hands something back
}

// head is the function's text up to its body.
func (f *function) head(source []byte) []byte { return source[f.start.Offset:f.open.Offset] }

// findFunction finds the function of a name, or Type.name.
func findFunction(path, name string, source []byte) (*function, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, source, 0)
	if err != nil {
		return nil, err
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && nameOf(f) == name && f.Body != nil {
			at := func(p token.Pos) token.Position { return set.PositionFor(p, false) }
			return &function{at(f.Pos()), at(f.Body.Lbrace), at(f.End()), f.Type.Results != nil}, nil
		}
	}
	return nil, fmt.Errorf("museum: %s has no function %s", path, name)
}

// nameOf is a function's name, with the type of its receiver.
func nameOf(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	t := f.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name + "." + f.Name.Name
	}
	return f.Name.Name
}

// pattern matches the old text whatever its white space. A text that is no UTF-8 has none.
func (e *Edit) pattern() (*regexp.Regexp, error) {
	var words []string
	for _, w := range strings.Fields(e.Old) {
		words = append(words, regexp.QuoteMeta(w))
	}
	return regexp.Compile(strings.Join(words, `\s+`))
}
