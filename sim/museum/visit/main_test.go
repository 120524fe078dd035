package main

import (
	"bytes"
	"io"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

const root = "../../.."

// A reader of the README can see its failure: the binary breaks the promise on the script, as the script expects.
func TestAVisitorSeesTheFailure(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command")
	}
	dir := t.TempDir()
	var out bytes.Buffer
	require.NoError(t, run([]string{"-root", root, "incident-row-stays", dir}, &out, io.Discard))
	binary, script := filepath.Join(dir, "custody"), filepath.Join(dir, "incident-row-stays.trace")
	require.Contains(t, out.String(), "next: "+binary+" replay "+script+" --view\n")
	told, err := exec.Command(binary, "replay", script).CombinedOutput()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, 1, exit.ExitCode())
	require.Contains(t, string(told), "r2 (teal) read slot 0 at position 0, written at step 3 by r1 (amber)")
}

func TestVisitSaysWhatItCannotDo(t *testing.T) {
	for want, args := range map[string][]string{
		"found 0 arguments":                         nil,
		`no exhibit has the name "nothing"`:         {"-root", root, "nothing", "x"},
		"is / the module's root?":                   {"-root", "/", "incident-row-stays", "x"},
		"flag provided but not defined: -directory": {"-directory"},
	} {
		require.ErrorContains(t, run(args, io.Discard, io.Discard), want)
	}
}
