package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMeasurePrintsARowOfEachExhibitAskedFor(t *testing.T) {
	t.Parallel()
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
