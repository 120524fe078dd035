package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/sim"
	"custody/traces"
)

// Whatever a file holds, replay tells it or says why it cannot; on the engine as it is no promise breaks.
func FuzzReplay(f *testing.F) {
	files, err := filepath.Glob(filepath.Join("..", "..", "sim", "testdata", "*.trace"))
	require.NoError(f, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(f, err)
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		c := plainConsole(strings.NewReader(text), io.Discard, io.Discard)
		src, err := load(c, "-", sim.Profiles[0], false)
		if err != nil || large(src.script) {
			return
		}
		err = replay(c, src, tellOptions{to: 1 << 60})
		require.True(t, err == nil || err == errBroken && !src.asTold(narrate(src.script, nil)), "%v\n%s", err, src.script)
	})
}

// large tells whether a script takes more than a moment.
func large(s *traces.Script) bool {
	c := &s.Config
	return c[traces.Blocks]*c[traces.Block] > 1<<13 || c[traces.MaxLen] > 256 || c[traces.Rows]+c[traces.Queue] > 64 || len(s.Events) > 100
}
