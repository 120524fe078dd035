package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/sim/museum"
)

func TestMeasurePrintsARowOfEachExhibitAskedFor(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the engine")
	}
	code, out, progress := run("measure", "--root", root, "--only", "d04-entry", "--seeds", "50")
	require.Equal(t, exitOK, code, progress)
	require.Regexp(t, `(?m)^d04-entry-outlives-block +publish +\d+ +\d+ +\d+ +\d+ +2 +\d+$`, out)
	require.Contains(t, out, "1 exhibits: found after")
	require.Contains(t, out, "fewer than 100 detecting seeds")
	require.Empty(t, progress, "a bar is for a terminal")
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
