package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/cmd/custody/internal/readme"
)

// checkReceipts: the README opens with an answer that tells one tenant another's secret. Its lines are what the command
// prints for the exhibit's script, in their order: on the engine with the defect, and on the engine as it is.
func checkReceipts(t *testing.T, planted string) {
	const incident = "incident-marker-printed"
	script := filepath.Join(t.TempDir(), "incident.trace")
	require.NoError(t, os.WriteFile(script, []byte(readme.Exhibit(t, incident).Script), 0o644))
	for name, command := range map[string]string{"planted": planted, "clean": "custody"} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(command, "receipt", script, "r3")
			cmd.Env = readme.With(incident)
			told, err := cmd.Output()
			require.Equal(t, name == "planted", err != nil, "the exit code")
			requireInOrder(t, readme.Comparable(string(told)),
				readme.Comparable(readme.Block(t, "<!-- receipt: "+incident+", "+name+" -->")))
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
