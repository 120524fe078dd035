package main

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A reader of the README can see its failure: the binary breaks the promise on the script, as the script expects.
func TestAVisitorSeesTheFailure(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds the command")
	}
	dir := t.TempDir()
	code, out, errors := run("visit", "--root", root, "incident-row-stays", dir)
	require.Equal(t, exitOK, code, errors)
	binary, script := filepath.Join(dir, "custody"), filepath.Join(dir, "incident-row-stays.trace")
	require.Contains(t, out, "next: "+binary+" replay "+script+" --view\n")
	told, err := exec.Command(binary, "replay", script).CombinedOutput()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, 1, exit.ExitCode())
	require.Contains(t, string(told), "r2 (teal) read slot 0 at position 0, written at step 3 by r1 (amber)")
}
