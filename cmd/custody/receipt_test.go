package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/cmd/custody/internal/readme"
	"custody/sim/museum"
)

// The README opens with an answer that tells one tenant another's secret. Its lines are what the command prints for the
// exhibit's script, in their order: on the engine with the defect, and on the engine as it is.
func TestTheReadmesReceiptsAreTheCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command twice")
	}
	x, dir := readme.Exhibit(t, "incident-marker-printed"), t.TempDir()
	overlay, err := museum.Plant(readme.Root(t), dir, x.Edits)
	require.NoError(t, err)
	script := filepath.Join(dir, "incident.trace")
	require.NoError(t, os.WriteFile(script, []byte(x.Script), 0o644))
	for name, flags := range map[string][]string{"planted": {"-overlay", overlay}, "clean": nil} {
		t.Run(name, func(t *testing.T) {
			binary := filepath.Join(t.TempDir(), "custody")
			out, err := exec.Command("go", append(append([]string{"build", "-o", binary}, flags...), ".")...).CombinedOutput()
			require.NoError(t, err, "%s", out)
			cmd := exec.Command(binary, "receipt", script, "r3")
			told, err := cmd.Output()
			require.Equal(t, name == "planted", err != nil, "the exit code")
			requireInOrder(t, readme.Comparable(string(told)),
				readme.Comparable(readme.Block(t, "<!-- receipt: incident-marker-printed, "+name+" -->")))
		})
	}
}

// requireInOrder: the lines stand in the text, in their order; others may stand between them.
func requireInOrder(t *testing.T, text, lines string) {
	t.Helper()
	at := 0
	for _, line := range strings.Split(lines, "\n") {
		i := strings.Index(text[at:], line+"\n")
		require.GreaterOrEqual(t, i, 0, "%q is not told, or not here:\n%s", line, text)
		at += i + len(line)
	}
	require.NotEmpty(t, lines)
}
