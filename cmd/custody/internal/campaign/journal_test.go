package campaign

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/cmd/custody/internal/source"
	"custody/sim/gen"
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
		o := &Options{First: first, Shard: Shard{N: 1}}
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
	o := &Options{First: 1, Shard: Shard{N: 1}, Model: source.BothModels, Profile: gen.Profiles[0], Out: "dir"}
	f.Add(indented(newStartRecord(o)))
	f.Add([]byte(`{"seed": 1e400, "shard": null}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if err := o.continues("fuzz", text); err != nil {
			require.Regexp(t, "^(fuzz cannot be read: |dir cannot be resumed with --)", err.Error())
		}
	})
}
