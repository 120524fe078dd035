// Package museum holds planted defects, one text file each, modelled on public reports. A checker is guilty until proven
// useful: every promise must break, in the first failing step, in at least one exhibit that names it, and none may break
// in the engine as it is.
//
//	exhibits/*.txt ──Open──▶ edits ──PlantAll──▶ overlay ──Build──▶ one binary ──Probe──▶ a report of each
//
// Beside them stand controls/*.txt, correct variants that look wrong, in which nothing may break. The command
// custody-museum measures both and writes docs/museum.md.
//
// A defect is an edit of the real source, found by function and text rather than by line number. It reaches the compiler
// through its -overlay flag, so the engine carries no switches; one build holds all defects, and the environment of a
// process says which of them runs. This package is tooling: it reads files and runs the go command, and nothing of the
// engine imports it.
package museum

import (
	"fmt"
	"strconv"
	"strings"

	"custody/traces"
)

// Exhibit is a planted defect.
type Exhibit struct {
	ID       string // the file's name without .txt
	Story    string
	Report   string // link to the public report
	Family   string // of defect, D01 to D16, or what it costs where none of them fits
	Promise  string // must be among those broken in the first failing step
	Relation string // of reader and writer, in that breach
	Profile  string // what the generator draws to find it; "" is the default
	Lines    int    // of the minimal script
	Also     string // a promise that it breaks later, on the transformer
	FixedBy  string // the exhibit in which this one's fix breaks another promise, if there is one
	Fixes    string // the exhibit whose fix this one is, if it is one
	Edits    []Edit
	Script   string // the minimal script
}

// Edit replaces text in one function of one source file.
type Edit struct {
	File string // relative to the module's root
	Func string // name, or Type.name
	Old  string // compared with white space folded; must occur once in the function
	New  string
}

// parseExhibit reads one exhibit: a txtar archive whose comment is the story, with the files `exhibit` (key: value lines),
// `edit FILE FUNC` (lines with - and +) and `script.trace`.
func parseExhibit(name string, data []byte) (*Exhibit, error) {
	x := &Exhibit{ID: idOf(name)}
	var err error
	if x.Story, err = readArchive(name, data, x.section); err != nil {
		return nil, err
	}
	if err = x.complete(name); err != nil {
		return nil, fmt.Errorf("museum: %s: %w", name, err)
	}
	return x, nil
}

func (x *Exhibit) section(name, text string) error {
	switch words := strings.Fields(name); {
	case name == "exhibit":
		return x.header(text)
	case len(words) == 3 && words[0] == "edit":
		x.Edits = append(x.Edits, readEdit(words, text))
		return nil
	case name == "script.trace":
		x.Script = text
		return nil
	}
	return fmt.Errorf("unknown section; expected exhibit, edit FILE FUNC or script.trace")
}

func (x *Exhibit) header(text string) error {
	lines := ""
	err := readFields(text, map[string]*string{
		"report": &x.Report, "family": &x.Family, "promise": &x.Promise, "relation": &x.Relation,
		"profile": &x.Profile, "lines": &lines, "also": &x.Also, "fixed-by": &x.FixedBy, "fixes": &x.Fixes,
	})
	if err != nil {
		return err
	}
	if x.Lines, err = strconv.Atoi(lines); err != nil {
		return fmt.Errorf("lines: %q is not a number", lines)
	}
	return nil
}

// complete says what an exhibit lacks.
func (x *Exhibit) complete(name string) error {
	for what, value := range map[string]string{
		"a story": x.Story, "report": x.Report, "family": x.Family, "promise": x.Promise, "relation": x.Relation,
		"script.trace": x.Script,
	} {
		if value == "" {
			return fmt.Errorf("%s is missing", what)
		}
	}
	if len(x.Edits) == 0 {
		return fmt.Errorf("it edits nothing")
	}
	s, err := traces.Parse(name, x.Script)
	if err == nil && s.Size() != x.Lines {
		err = fmt.Errorf("lines says %d, the script has %d", x.Lines, s.Size())
	}
	return err
}
