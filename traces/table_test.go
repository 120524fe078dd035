package traces_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"custody/traces"
)

var update = flag.Bool("update", false, "write the tables into docs/script.md")

const (
	page  = "../docs/script.md"
	begin = "<!-- tables: written by `go test ./traces -run TestThePageHoldsTheTables -update` -->\n"
	end   = "<!-- end of tables -->\n"
)

func TestThePageHoldsTheTables(t *testing.T) {
	b, err := os.ReadFile(page)
	require.NoError(t, err)
	before, rest, ok := strings.Cut(string(b), begin)
	require.True(t, ok, "%s has lost the mark %q", page, begin)
	_, after, ok := strings.Cut(rest, end)
	require.True(t, ok, "%s has lost the mark %q", page, end)
	want := before + begin + "\n" + traces.Reference() + "\n" + end + after
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(want), 0o644))
		return
	}
	assert.Equal(t, want, string(b), "the tables have changed: go test ./traces -run TestThePageHoldsTheTables -update")
}

func TestThePagesExamplesRead(t *testing.T) {
	b, err := os.ReadFile(page)
	require.NoError(t, err)
	blocks := strings.Split(string(b), "```")
	require.Greater(t, len(blocks), 2)
	for i := 1; i < len(blocks); i += 2 {
		_, err := traces.ParseTrace(page, blocks[i])
		assert.NoError(t, err, "%s", blocks[i])
	}
}

func TestEveryKeyIsWellFormed(t *testing.T) {
	names := map[string]bool{}
	for k, s := range traces.Keys {
		assert.Regexp(t, `^[a-z_]+$`, s.Name, "key %d", k)
		assert.False(t, names[s.Name], "%s stands twice", s.Name)
		names[s.Name] = true
		assert.NotEmpty(t, s.Doc, s.Name)
		assert.True(t, s.Min <= s.Default && s.Default <= s.Max, s.Name)
		assert.True(t, s.Worker || !s.Layout, "%s: a layout field may differ by worker", s.Name)
	}
}

func TestEveryVerbHasItsWords(t *testing.T) {
	words := map[string]bool{}
	for k := traces.Nop; k < traces.NumVerbs; k++ {
		assert.NotEmpty(t, k.String())
		assert.False(t, words[k.String()], "%s stands twice", k)
		words[k.String()] = true
	}
	assert.Equal(t, "fail alloc", traces.FailAlloc.String())
	assert.Equal(t, "nop", traces.NumVerbs.String())
}
