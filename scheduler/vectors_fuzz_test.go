package scheduler_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzVectors says: whatever a file of vectors holds, reading it gives vectors or an error with its place, and no run of
// tokens is larger than its bound.
func FuzzVectors(f *testing.F) {
	text, err := os.ReadFile("testdata/vllm.jsonl")
	require.NoError(f, err)
	for line := range bytes.Lines(text) {
		f.Add(line)
	}
	f.Add([]byte(`{"events": [{"tokens": {"parts": [{"fill": 1, "n": 2000000000}, {"range": [-5, 2147483647]}]}}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		list, err := readVectors("fuzz", text)
		if err != nil {
			require.Contains(t, err.Error(), "fuzz:")
			return
		}
		for i := range list {
			_ = list[i].beyond()
			for _, e := range list[i].Events {
				tokens, err := run(e.Tokens)
				require.True(t, err == nil || tokens == nil)
				require.LessOrEqual(t, len(tokens), maxRun)
			}
		}
	})
}
