package museum

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"
)

// The text of exhibits and controls: a txtar archive whose comment is the story.

// load reads all files of a directory, by name.
func load[T any](dir string, parse func(name string, data []byte) (*T, error)) ([]*T, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("museum: there are no *.txt in %s", dir)
	}
	var all []*T
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		x, err := parse(filepath.Base(f), data)
		if err != nil {
			return nil, err
		}
		all = append(all, x)
	}
	return all, nil
}

// idOf is what a file is called by.
func idOf(name string) string { return strings.TrimSuffix(name, ".txt") }

// readArchive brings the sections of a file to `section`, and returns its story. The error says which section it is about.
func readArchive(name string, data []byte, section func(name, text string) error) (story string, err error) {
	a := txtar.Parse(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")))
	for _, f := range a.Files {
		if err := section(f.Name, string(f.Data)); err != nil {
			return "", fmt.Errorf("museum: %s: %s: %w", name, f.Name, err)
		}
	}
	return strings.TrimSpace(string(a.Comment)), nil
}

// readFields reads `key: value` lines.
func readFields(text string, fields map[string]*string) error {
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		key, value, ok := strings.Cut(line, ":")
		if fields[key] == nil || !ok {
			known := slices.Sorted(maps.Keys(fields))
			return fmt.Errorf("%q: expected one of %s, then a colon", line, strings.Join(known, ", "))
		}
		*fields[key] = strings.TrimSpace(value)
	}
	return nil
}

// readEdit reads a section with the words `edit FILE FUNC`.
func readEdit(words []string, text string) Edit {
	e := Edit{File: words[1], Func: words[2]}
	e.Old, e.New = sides(text)
	return e
}

// sides splits an edit into what its - lines and its + lines say.
func sides(text string) (before, after string) {
	for _, line := range strings.Split(text, "\n") {
		if s, ok := strings.CutPrefix(line, "-"); ok {
			before += s + "\n"
		} else if s, ok := strings.CutPrefix(line, "+"); ok {
			after += s + "\n"
		}
	}
	return before, after
}
