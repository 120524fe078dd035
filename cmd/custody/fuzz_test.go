package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/traces"
)

// A damaged journal is never taken for another one: what is read is what stands in its first lines, and reading those
// alone gives the same.
func FuzzJournal(f *testing.F) {
	line := `{"kind":"seed","seed":1,"digest":"0123456789abcdef0123456789abcdef","steps":1,"broken":["tenant"]}` + "\n"
	f.Add([]byte(line), uint64(1))
	f.Add([]byte(line+strings.Replace(line, `"seed":1`, `"seed":2`, 1)), uint64(1))
	f.Add([]byte(line[:40]), uint64(1))
	f.Add([]byte(strings.Replace(line, `"seed":1`, `"seed":18446744073709551615`, 1)), uint64(1<<64-1))
	f.Fuzz(func(t *testing.T, text []byte, first uint64) {
		o := &runOptions{first: whole{value: first}, shard: shard{n: 1}}
		e, err := o.completedIn("fuzz", text)
		if err != nil {
			require.True(t, strings.HasPrefix(err.Error(), "fuzz:"), err)
			return
		}
		require.Equal(t, int(e.seeds), bytes.Count(text, []byte("\n")))
		require.Equal(t, e.torn, e.size < int64(len(text)))
		again, err := o.completedIn("fuzz", text[:e.size])
		require.NoError(t, err)
		e.torn = false
		require.Equal(t, e, again)
	})
}

// The record of other options is refused in words, whatever it holds.
func FuzzStart(f *testing.F) {
	o := &runOptions{first: whole{value: 1}, shard: shard{n: 1}, model: newRunModel(), profile: newProfile(), until: newUntil(), out: "dir"}
	f.Add(indented(newStartRecord(o)))
	f.Add([]byte(`{"seed": 1e400, "shard": null}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if err := o.continues("fuzz", text); err != nil {
			require.Regexp(t, "^(fuzz cannot be read: |dir cannot be resumed with --)", err.Error())
		}
	})
}

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
		c := &console{in: strings.NewReader(text), out: &checked{w: io.Discard}, err: io.Discard}
		src, err := c.load("-", newProfile(), false)
		if err != nil || large(src.script) {
			return
		}
		err = replay(c, src, &replayOptions{from: whole{value: 1}, to: whole{value: 1 << 60}})
		require.True(t, err == nil || err == errBroken && !asTold(src, narrate(src.script, nil)), "%v\n%s", err, src.script)
	})
}

// large tells whether a script takes more than a moment.
func large(s *traces.Script) bool {
	c := &s.Config
	return c[traces.Blocks]*c[traces.Block] > 1<<13 || c[traces.MaxLen] > 256 || c[traces.Rows]+c[traces.Queue] > 64 || len(s.Events) > 100
}
