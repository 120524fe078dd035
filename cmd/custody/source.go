package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"custody/sim"
	"custody/traces"
)

// source is a script and where it comes from: a seed that draws it, a file, or standard input.
type source struct {
	arg     string // as the person wrote it
	name    string // for sentences: "seed 7", or the file
	base    string // for names of files made from it
	seed    bool
	profile string
	model   *sim.Model // on which it runs; nil is the hash model
	script  *traces.Script
	trace   *traces.Trace // of a file: with the narrative and the digest that it holds
}

// load reads an argument FILE|SEED. A number is a seed unless a file of that name exists; - is standard input.
func load(c *console, arg string, profile sim.Profile, profileSet bool) (*source, error) {
	if isNumber(arg) && !exists(arg) {
		return loadSeed(arg, profile)
	}
	if profileSet {
		return nil, usagef("--profile is for seeds, and %s is a script: it says itself what happens", arg)
	}
	text, err := read(c, arg)
	if err != nil {
		return nil, err
	}
	s := &source{arg: arg, name: arg, base: strings.TrimSuffix(filepath.Base(arg), filepath.Ext(arg))}
	if arg == "-" {
		s.name, s.base = "standard input", "stdin"
	}
	if s.trace, err = traces.ParseTrace(s.name, text); err != nil {
		return nil, err
	}
	s.script = s.trace.Script
	if len(s.script.Events) == 0 {
		return nil, fmt.Errorf("%s holds no event: expected a script (`custody script` shows the language)", s.name)
	}
	return s, sim.Runnable(s.name, s.script)
}

func loadSeed(arg string, p sim.Profile) (*source, error) {
	seed, err := strconv.ParseUint(arg, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("%s is too large for a seed (at most %d), and no file has that name", arg, uint64(1<<64-1))
	}
	script, _ := sim.Generate(seed, p, sim.ExecuteOptions{})
	return &source{arg: arg, name: "seed " + arg, base: arg, seed: true, profile: p.Name, script: script}, nil
}

// longestScript bounds the text of a script or trace, in bytes.
const longestScript = 1 << 26

// read returns the text of a script or trace. What cannot be read is said in words.
func read(c *console, name string) (string, error) {
	in, err := c.open(name, "a script, a trace, or a seed (a number)")
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

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// command is the command line of another command for the same source.
func (s *source) command(verb string) string {
	text := "custody " + verb + " " + shellWord(s.arg)
	if s.seed {
		text += " --profile " + s.profile
	}
	if s.model != nil {
		text += " --model " + transformerModel
	}
	return text
}
