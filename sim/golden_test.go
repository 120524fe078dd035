package sim_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/sim"
	"custody/sim/explain"
	"custody/traces"
)

var update = flag.Bool("update", false, "write the golden traces anew")

// Each file of testdata opens with a paragraph of why. What happens stands between its lines, and is compared whole.
func TestTheTracesInTestdataAreWhatHappens(t *testing.T) {
	files, err := filepath.Glob("testdata/*.trace")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 12)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			trace, err := traces.ParseTrace(file, string(text))
			require.NoError(t, err)
			told, err := explain.Run(trace.Script, sim.ExecuteOptions{})
			require.NoError(t, err)
			got := told.Trace(trace.Script).String()
			if *update {
				require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
				return
			}
			require.Equal(t, string(text), got)
		})
	}
}
