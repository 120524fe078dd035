package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

const root = "../.."

// run executes a command line, as if nothing was a terminal.
func run(args ...string) (code int, out, errors string) {
	var o, e bytes.Buffer
	code = execute(args, &console{out: &o, err: &e})
	return code, o.String(), e.String()
}

func TestTheCommandSaysWhatItCannotDo(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"words":              {[]string{"measure", "d04"}, "found 1 arguments, expected no arguments; see --help"},
		"no seeds":           {[]string{"measure", "--seeds", "0"}, "--seeds is 0"},
		"no workers":         {[]string{"measure", "--workers", "0"}, "--workers is 0"},
		"a part":             {[]string{"measure", "--write", "x.md", "--only", "d04"}, "leave out --only"},
		"another root":       {[]string{"measure", "--root", "/"}, "is / the module's root?"},
		"nothing":            {[]string{"measure", "--root", root, "--only", "d99"}, "nothing in the museum has that in its name"},
		"no exhibit":         {[]string{"visit"}, "found 0 arguments, expected two: an exhibit"},
		"another exhibit":    {[]string{"visit", "--root", root, "nothing", "x"}, `no exhibit has the name "nothing"`},
		"nowhere to visit":   {[]string{"visit", "--root", "/", "incident-row-stays", "x"}, "is / the module's root?"},
		"a flag":             {[]string{"visit", "--directory"}, "unknown flag: --directory"},
		"a profile":          {[]string{"probe", "--profile", "wild"}, `--profile: there is none of the name "wild"`},
		"a key":              {[]string{"probe", "--set", "colour=red"}, `--set: there is no key "colour"`},
		"a value":            {[]string{"probe", "--set", "blocks=none"}, "--set: "},
		"no script":          {[]string{"probe", "--script", "nothing.trace"}, "no such file"},
		"a command":          {[]string{"kill"}, `there is no command "kill"`},
		"a value beyond all": {[]string{"probe", "--set", "blocks=-1"}, "--set: blocks is -1, expected"},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, errors := run(c.args...)
			require.Equal(t, exitMisuse, code)
			require.Contains(t, errors, c.want)
			require.Empty(t, out)
		})
	}
}

func TestProbeHuntsInTheEngineOfItsOwnBinary(t *testing.T) {
	code, out, errors := run("probe", "--seeds", "20")
	require.Equal(t, exitOK, code, errors)
	require.Contains(t, out, `"Seed":0,`, "the engine as it is breaks nothing")
}
