package museum

import (
	"bytes"
	"cmp"
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// Many defects in one build. Each function that plants edit holds, beside its own body, the body that each of them makes of
// it, and a variable of its package says which one runs:
//
//	func (r *Runner) refuse(at int32) {
//		switch planted {
//		case 7: { …the body with the edits of plant 7… }
//		}
//		…the body as it is…
//	}
//
// The name of the function stays, and line directives keep the places in the source, so that a breach is told as in a
// build of its own. The variable is read from the environment before anything of its package runs. One process is one
// engine: a table that is made at the start never meets another plant's code.

// Chosen is the environment variable that says which plant runs. Without it the engine runs as it is.
const Chosen = "CUSTODY_PLANTED"

// PlantAll is Plant for many plants at once, by name: the overlay holds the engine as it is and all of theirs.
func PlantAll(root, dir string, plants map[string][]Edit) (string, error) {
	s := schemata{root: root, names: slices.Sorted(maps.Keys(plants)), files: map[string]*schema{}}
	for _, name := range s.names {
		if err := s.add(name, plants[name]); err != nil {
			return "", fmt.Errorf("%w (in %s)", err, name)
		}
	}
	changed, err := s.write()
	if err != nil {
		return "", err
	}
	return writeOverlay(dir, changed)
}

type schemata struct {
	root  string
	names []string           // of all plants
	files map[string]*schema // by path
}

// schema is a source file with the bodies that plants make of its functions.
type schema struct {
	source []byte
	bodies []body
}

// body is a function's under one plant.
type body struct {
	plant  string
	text   []byte
	brace  token.Position // where it opens in the plant's own copy of the file
	at     token.Position // where the function's own body opens
	result bool           // the function hands something back, so that its body never runs into what follows
}

// add takes in the bodies of one plant.
func (s *schemata) add(plant string, edits []Edit) error {
	changed, err := edited(s.root, edits)
	if err != nil {
		return err
	}
	for path, text := range changed {
		if s.files[path] == nil {
			source, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			s.files[path] = &schema{source: source}
		}
		for _, function := range functionsOf(s.root, path, edits) {
			if err := s.files[path].add(plant, path, function, text); err != nil {
				return err
			}
		}
	}
	return nil
}

// functionsOf is what the edits change in the file, each once.
func functionsOf(root, path string, edits []Edit) []string {
	names := map[string]bool{}
	for _, e := range edits {
		if at, err := filepath.Abs(filepath.Join(root, e.File)); err == nil && at == path {
			names[e.Func] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// add takes in the body of a function in a plant's copy of the file.
func (s *schema) add(plant, path, function string, text []byte) error {
	own, err := findFunction(path, function, s.source)
	if err != nil {
		return err
	}
	now, err := findFunction(path, function, text)
	if err != nil {
		return err
	}
	if !bytes.Equal(own.head(s.source), now.head(text)) {
		return fmt.Errorf("museum: %s: %s: an edit reaches beyond the function's body", path, function)
	}
	s.bodies = append(s.bodies, body{
		plant: plant, text: text[now.open.Offset:now.end.Offset], brace: now.open, at: own.open, result: own.result,
	})
	return nil
}

// write returns the sources that stand in place of the originals, by path, and those that are new.
func (s *schemata) write() (map[string][]byte, error) {
	out := map[string][]byte{}
	for path, file := range s.files {
		out[path] = file.write(path, s.number)
		choice := filepath.Join(filepath.Dir(path), "planted_by_the_museum.go")
		if _, err := os.Stat(choice); err == nil {
			return nil, fmt.Errorf("museum: %s stands in the way of a file of that name in the overlay", choice)
		}
		text, err := s.choice(path)
		if err != nil {
			return nil, err
		}
		out[choice] = text
	}
	return out, nil
}

// number is what the switches call a plant.
func (s *schemata) number(plant string) int { return 1 + slices.Index(s.names, plant) }

// choice is the file that reads the environment, for the package of a path.
func (s *schemata) choice(path string) ([]byte, error) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.PackageClauseOnly)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "package %s\n\nimport \"os\"\n\nvar planted = func() int {\n", file.Name)
	fmt.Fprintf(&b, "\tswitch name := os.Getenv(%q); name {\n\tcase \"\":\n\t\treturn 0\n", Chosen)
	for _, name := range s.names {
		fmt.Fprintf(&b, "\tcase %q:\n\t\treturn %d\n", name, s.number(name))
	}
	fmt.Fprintf(&b, "\tdefault:\n\t\tpanic(%q + name)\n\t}\n}()\n", Chosen+": this build has no plant ")
	return b.Bytes(), nil
}

// write puts the bodies into the functions, from the last to the first, so that places before them stay.
func (s *schema) write(path string, number func(string) int) []byte {
	slices.SortStableFunc(s.bodies, func(a, b body) int { return cmp.Compare(b.at.Offset, a.at.Offset) })
	text := s.source
	for rest := s.bodies; len(rest) > 0; {
		at, n := rest[0].at, 0
		var b bytes.Buffer
		b.WriteString("\n\tswitch planted {\n")
		for ; n < len(rest) && rest[n].at == at; n++ {
			rest[n].write(&b, path, number)
		}
		fmt.Fprintf(&b, "\t}\n/*line %s:%d:%d*/", path, at.Line, at.Column+1)
		text = slices.Concat(text[:at.Offset+1], b.Bytes(), text[at.Offset+1:])
		rest = rest[n:]
	}
	return text
}

func (b *body) write(w *bytes.Buffer, path string, number func(string) int) {
	fmt.Fprintf(w, "\tcase %d:\n/*line %s:%d:%d*/", number(b.plant), path, b.brace.Line, b.brace.Column)
	w.Write(b.text)
	if !b.result {
		w.WriteString("\n\t\treturn")
	}
	w.WriteString("\n")
}
