// Package source is what most commands begin with: a script, given as a seed, a file or standard input, and the model on
// which it runs.
package source

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"custody/cmd/custody/internal/exit"
	"custody/cmd/custody/internal/term"
	"custody/sim"
	"custody/sim/gen"
	"custody/traces"
)

// Source is a script and where it comes from: a seed that draws it, a file, or standard input.
type Source struct {
	Arg     string // as the person wrote it
	Name    string // for sentences: "seed 7", or the file
	Base    string // for names of files made from it
	Seed    bool
	Profile string
	Model   *sim.WorkerModel // on which it runs; nil is the hash model
	Script  *traces.Script
	Trace   *traces.Trace // of a file: with the narrative and the digest that it holds
}

// Load reads an argument FILE|SEED. A number is a seed unless a file of that name exists; - is standard input.
func Load(c *term.Console, arg string, profile gen.Profile, profileSet bool) (*Source, error) {
	if IsNumber(arg) && !exists(arg) {
		return loadSeed(arg, profile)
	}
	if profileSet {
		return nil, exit.Usagef("--profile is for seeds, and %s is a script: it says itself what happens", arg)
	}
	text, err := read(c, arg)
	if err != nil {
		return nil, err
	}
	s := &Source{Arg: arg, Name: arg, Base: strings.TrimSuffix(filepath.Base(arg), filepath.Ext(arg))}
	if arg == "-" {
		s.Name, s.Base = "standard input", "stdin"
	}
	if s.Trace, err = traces.ParseTrace(s.Name, text); err != nil {
		return nil, err
	}
	s.Script = s.Trace.Script
	if len(s.Script.Events) == 0 {
		return nil, fmt.Errorf("%s holds no event: expected a script (`custody script` shows the language)", s.Name)
	}
	return s, sim.Runnable(s.Name, s.Script)
}

func loadSeed(arg string, p gen.Profile) (*Source, error) {
	seed, err := strconv.ParseUint(arg, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("%s is too large for a seed (at most %d), and no file has that name", arg, uint64(1<<64-1))
	}
	script, _, err := gen.Generate(seed, p, sim.ExecuteOptions{})
	if err != nil {
		return nil, err
	}
	return &Source{Arg: arg, Name: "seed " + arg, Base: arg, Seed: true, Profile: p.Name, Script: script}, nil
}

// longestScript bounds the text of a script or trace, in bytes.
const longestScript = 1 << 26

// read returns the text of a script or trace. What cannot be read is said in words.
func read(c *term.Console, name string) (string, error) {
	in, err := c.Open(name, "a script, a trace, or a seed (a number)")
	if err != nil {
		return "", err
	}
	defer in.Close()
	text, err := io.ReadAll(io.LimitReader(in, longestScript+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("%s cannot be read: %w", name, err)
	case len(text) > longestScript:
		return "", fmt.Errorf("%s is longer than %d bytes, expected a script or a trace", name, longestScript)
	}
	return string(text), nil
}

// IsNumber tells whether an argument is a seed, unless a file has that name.
func IsNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// Command is the command line of another command for the same source.
func (s *Source) Command(verb string) string {
	text := "custody " + verb + " " + term.ShellWord(s.Arg)
	if s.Seed {
		text += " --profile " + s.Profile
	}
	if s.Model != nil {
		text += " --model " + TransformerModel
	}
	return text
}
