package view

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/cmd/custody/internal/readme"
	"custody/sim"
	"custody/sim/explain"
	"custody/traces"
)

// The screens of a breach need an engine that breaks a promise: this package's test binary is built again with the
// museum's defects, and asked for what the view shows.

// The environment that asks a test binary for a screen: the script's file, the keys to press, and the file for the screen.
const (
	screenScript = "CUSTODY_SCREEN_SCRIPT"
	screenKeys   = "CUSTODY_SCREEN_KEYS"
	screenFile   = "CUSTODY_SCREEN_FILE"
)

// TestScreenForAnotherTest writes the view's screen down, if it is asked to.
func TestScreenForAnotherTest(t *testing.T) {
	if os.Getenv(screenFile) == "" {
		t.Skip("no screen is asked for")
	}
	text, err := os.ReadFile(os.Getenv(screenScript))
	require.NoError(t, err)
	v := viewOf(t, string(text))
	keys(v, os.Getenv(screenKeys))
	require.NoError(t, os.WriteFile(os.Getenv(screenFile), []byte(screen(v)), 0o644))
}

// planted is the test binary with all defects.
func planted(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("builds this package's tests")
	}
	binary := filepath.Join(t.TempDir(), "planted.test")
	cmd := exec.Command("go", "test", "-c", "-vet=off", "-overlay", readme.Overlay(t), "-o", binary, ".")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return binary
}

// screens returns what the view of an exhibit's script shows after each of the keys, in the engine with its defect.
func screens(t *testing.T, binary, id string, keys ...string) (screens []string) {
	t.Helper()
	dir := t.TempDir()
	script, file := filepath.Join(dir, "script"), filepath.Join(dir, "screen")
	require.NoError(t, os.WriteFile(script, []byte(readme.Exhibit(t, id).Script), 0o644))
	for _, k := range keys {
		cmd := exec.Command(binary, "-test.run=^TestScreenForAnotherTest$")
		cmd.Env = append(readme.With(id), screenScript+"="+script, screenKeys+"="+k, screenFile+"="+file)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		screens = append(screens, string(text))
	}
	return screens
}

func TestTheViewOfPlantedEngines(t *testing.T) {
	binary := planted(t)
	t.Run("the README's screen is the view's", func(t *testing.T) {
		shown := screens(t, binary, "incident-row-stays", "b")[0]
		block := readme.Block(t, "<!-- screen: incident-row-stays, key b -->")
		require.Equal(t, readme.Comparable(shown), readme.Comparable(block))
	})
	// The exhibit's defect makes the engine panic. The crash is the last step, and it can be left and come back to.
	t.Run("a crash is shown", func(t *testing.T) {
		shown := screens(t, binary, "d14-result-by-place-in-plan", "b", "<end>", "b<left><left><right><right>", "b<left>")
		require.Contains(t, shown[0], "BROKEN alive")
		require.Contains(t, shown[0], "under way")
		require.Equal(t, shown[0], shown[1])
		require.Equal(t, shown[0], shown[2])
		require.NotContains(t, shown[3], "alive")
	})
}

func TestTheFrameInTheDocsIsWhatIsShown(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(readme.Root(t), "sim", "testdata", "life-of-a-request.trace"))
	require.NoError(t, err)
	trace, err := traces.ParseTrace("life", string(text))
	require.NoError(t, err)
	rec, err := explain.Record(trace.Script, sim.ExecuteOptions{})
	require.NoError(t, err)
	v := newView(trace.Script, rec)
	require.NoError(t, v.goTo(7))
	p := newPane(v.script, v.frame, focus{})
	lines := append(append([]string{p.title(v.rec.Last)}, p.told(false)...), p.world()...)
	docs, err := os.ReadFile(filepath.Join(readme.Root(t), "docs", "replay.md"))
	require.NoError(t, err)
	require.Contains(t, string(docs), "step 7 -->\n```\n"+strings.Join(lines, "\n")+"\n```\n")
}
