package traces_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/traces"
)

func readFile(t testing.TB, name string) string {
	b, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	return string(b)
}

func addSeeds(f *testing.F) {
	for _, name := range []string{"refused.trace", "everything.trace", "silent.trace"} {
		f.Add(readFile(f, name))
	}
	f.Add("engine e a=1 b=\"c d\"\nrun 1")
	f.Add("config blocks=x \"\nrun\n+\nexpect violates a by\ncancel r when state=\nsubmit r prompt=\"\\x0\" #")
}

var placed = regexp.MustCompile(`^traces/parse: fuzz:[1-9][0-9]*: .`)

// FuzzParse says: an error has a place, and what is read prints to a text that reads the same, strictly or not.
func FuzzParse(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		s, err := traces.Parse("fuzz", text)
		if err != nil {
			require.Regexp(t, placed, err.Error())
			require.Nil(t, s)
			return
		}
		printed := s.String()
		again, err := traces.Parse("printed", printed)
		require.NoError(t, err)
		require.Equal(t, lineless(s), lineless(again))
		require.Equal(t, printed, again.String())
		assertAnyRoundTrip(t, traces.ParseAny(text))
	})
}

// FuzzParseAny says: it never fails, it stays within its bounds, and the round trip is exact.
func FuzzParseAny(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		s := traces.ParseAny(text)
		assertAnyRoundTrip(t, s)
		require.LessOrEqual(t, len(s.Events), 10000)
		for k, v := range s.Config {
			require.True(t, traces.Keys[k].Min <= v && v <= traces.Keys[k].Max)
		}
		require.LessOrEqual(t, s.Config[traces.Blocks], int64(4096))
		for i := range s.Events {
			require.LessOrEqual(t, len(s.Events[i].Prompt), 4096)
			require.Less(t, s.Events[i].Verb, traces.NumVerbs)
		}
	})
}

// FuzzParseTrace says: a trace that reads prints to a text that reads the same.
func FuzzParseTrace(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		tr, err := traces.ParseTrace("fuzz", text)
		if err != nil {
			require.Regexp(t, placed, err.Error())
			return
		}
		printed := tr.String()
		again, err := traces.ParseTrace("printed", printed)
		require.NoError(t, err)
		tr.Script, again.Script = lineless(tr.Script), lineless(again.Script)
		require.Equal(t, tr, again)
		require.Equal(t, printed, again.String())
		_, differ := tr.FirstDifference(again)
		require.False(t, differ)
	})
}
