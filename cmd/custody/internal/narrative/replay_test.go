package narrative

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/cmd/custody/internal/exit"
	"custody/cmd/custody/internal/readme"
	"custody/cmd/custody/internal/source"
	"custody/cmd/custody/internal/term"
	"custody/sim/gen"
	"custody/traces"
)

// Whatever a file holds, replay tells it or says why it cannot; on the engine as it is no promise breaks.
func FuzzReplay(f *testing.F) {
	files, err := filepath.Glob(filepath.Join(readme.Root(f), "sim", "testdata", "*.trace"))
	require.NoError(f, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(f, err)
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		c := term.Plain(strings.NewReader(text), io.Discard, io.Discard)
		src, err := source.Load(c, "-", gen.Profiles[0], false)
		if err != nil || large(src.Script) {
			return
		}
		err = Replay(c, src, Options{To: 1 << 60})
		told, cannot := source.Narrate(src.Script, nil)
		require.NoError(t, cannot)
		require.True(t, err == nil || err == exit.ErrBroken && !src.AsSaid(told), "%v\n%s", err, src.Script)
	})
}

// large tells whether a script takes more than a moment.
func large(s *traces.Script) bool {
	c := &s.Config
	return c[traces.Blocks]*c[traces.Block] > 1<<13 || c[traces.MaxLen] > 256 || c[traces.Rows]+c[traces.Queue] > 64 ||
		len(s.Events) > 100
}
