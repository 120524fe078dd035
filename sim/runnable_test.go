package sim

import (
	"testing"

	"github.com/stretchr/testify/require"

	"custody/traces"
)

func TestAScriptThatCannotBeExecutedAsItStandsIsRefused(t *testing.T) {
	for in, want := range map[string]string{
		"":                     "",
		"engine local":         "",
		"engine other":         "x.trace: engine other: not known here (known: local)",
		"engine local depth=2": "x.trace: engine local: takes no setting depth (config sets it)",
		"config blocks=1048576 block=256": "x.trace: config: blocks=1048576 block=256 need 1073741824 words of KV memory, " +
			"at the most 16777216 can be simulated",
		"worker w1\nworker w2": "x.trace: worker w2: one worker can be simulated, and w1 is declared already",
	} {
		s, err := traces.Parse("x.trace", in+"\ndrain\n")
		require.NoError(t, err)
		if err := Runnable("x.trace", s); want == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, want)
		}
	}
}
