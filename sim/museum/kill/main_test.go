package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/sim/museum"
)

const root = "../../.."

func TestTheCommandPrintsARowOfEachExhibitAskedFor(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the engine")
	}
	var out, progress bytes.Buffer
	ok, err := run([]string{"-root", root, "-only", "d04-entry", "-seeds", "50"}, &out, &progress)
	require.NoError(t, err)
	require.True(t, ok, out.String())
	require.Regexp(t, `(?m)^d04-entry-outlives-block +publish +\d+ +\d+ +\d+ +\d+ +2 +\d+$`, out.String())
	require.Contains(t, out.String(), "1 exhibits: found after")
	require.Contains(t, out.String(), "fewer than 100 detecting seeds")
	require.Empty(t, progress.String(), "a bar is for a terminal")
}

func TestTheCommandSaysWhatItCannotDo(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"words":        {[]string{"d04"}, `found "d04", expected flags only`},
		"no seeds":     {[]string{"-seeds", "0"}, "-seeds is 0"},
		"no workers":   {[]string{"-workers", "0"}, "-workers is 0"},
		"a part":       {[]string{"-write", "x.md", "-only", "d04"}, "leave out -only"},
		"another root": {[]string{"-root", "/"}, "is / the module's root?"},
		"nothing":      {[]string{"-root", root, "-only", "d99"}, "nothing in the museum has that in its name"},
	} {
		t.Run(name, func(t *testing.T) {
			var out, progress bytes.Buffer
			_, err := run(c.args, &out, &progress)
			require.ErrorContains(t, err, c.want)
			require.Empty(t, out.String())
		})
	}
}

func TestOnlyWhatStandsBetweenTheMarksIsWrittenAnew(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.md")
	require.NoError(t, os.WriteFile(page, []byte("before\n"+museum.TablesBegin+"old\n"+museum.TablesEnd+"after\n"), 0o644))
	require.NoError(t, rewrite(page, "new\n"))
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	require.Equal(t, "before\n"+museum.TablesBegin+"new\n"+museum.TablesEnd+"after\n", string(text))

	require.NoError(t, os.WriteFile(page, []byte("a page of something else\n"), 0o644))
	require.ErrorContains(t, rewrite(page, "new\n"), "the marks between which the tables stand are missing")
}
