package sim_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/sim"
	"custody/sim/explain"
	"custody/traces"
)

// Execution is total: whatever the text, ParseAny makes a script of it, the clean engine keeps every promise on it, and
// a second execution gives the same digest.
func FuzzExecute(f *testing.F) {
	for seed := uint64(1); seed <= 20; seed++ {
		s, _, _ := generate(f, seed)
		f.Add(s.String())
	}
	files, err := filepath.Glob("testdata/*.trace")
	require.NoError(f, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(f, err)
		f.Add(string(text))
	}
	f.Add("")
	f.Add("drain\ndrain\nsubmit r1 max=5 prompt=1\nrun 3\ndrain\nreset force\nrun 2147483647\n+2147483647\n")
	f.Fuzz(func(t *testing.T, text string) {
		s := traces.ParseAny(text)
		if sim.Runnable("fuzz", s) != nil {
			return
		}
		r := execute(t, s, sim.ExecuteOptions{})
		for i := range r.Breaches {
			t.Errorf("%s: %s", r.PromiseName(&r.Breaches[i]), r.Message(i))
		}
		told, err := explain.Run(s, sim.ExecuteOptions{})
		require.NoError(t, err)
		require.Equal(t, r.Digest, told.Digest)
	})
}
