package museum

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Plant writes copies of the sources under root with the edits made, and an overlay file that puts them in place of the
// originals, all into dir. It returns the overlay's path, for the compiler's -overlay flag.
func Plant(root, dir string, edits []Edit) (string, error) {
	changed := map[string][]byte{}
	for _, e := range edits {
		path, err := filepath.Abs(filepath.Join(root, e.File))
		if err != nil {
			return "", err
		}
		source, ok := changed[path]
		if !ok {
			if source, err = os.ReadFile(path); err != nil { // an overlay of a path that is not there is silently ignored
				return "", err
			}
		}
		if changed[path], err = e.apply(source); err != nil {
			return "", err
		}
	}
	return writeOverlay(dir, changed)
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
	from, to, err := e.function(source)
	if err != nil {
		return nil, err
	}
	pattern, err := e.pattern()
	if err != nil {
		return nil, fmt.Errorf("museum: %s: %s: the text to replace: %w", e.File, e.Func, err)
	}
	found := pattern.FindAllIndex(source[from:to], -1)
	if len(found) != 1 {
		return nil, fmt.Errorf("museum: %s: %s: the text to replace occurs %d times, expected once: %s",
			e.File, e.Func, len(found), strings.TrimSpace(e.Old))
	}
	lo, hi := from+found[0][0], from+found[0][1]
	return bytes.Join([][]byte{source[:lo], []byte(strings.TrimSpace(e.New)), source[hi:]}, nil), nil
}

// function is where the edit's function stands in the source.
func (e *Edit) function(source []byte) (from, to int, err error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, e.File, source, 0)
	if err != nil {
		return 0, 0, err
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && nameOf(f) == e.Func {
			return set.Position(f.Pos()).Offset, set.Position(f.End()).Offset, nil
		}
	}
	return 0, 0, fmt.Errorf("museum: %s has no function %s", e.File, e.Func)
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
