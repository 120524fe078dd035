package traces

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestEveryArgumentIsWellFormed(t *testing.T) {
	taken := map[Arg]bool{}
	for v := range NumVerbs {
		words := map[string]bool{}
		for _, a := range verbs[v].args {
			assert.False(t, words[args[a].word], "%s: %s stands twice", v, args[a].word)
			words[args[a].word], taken[a] = true, true
		}
		for i, a := range v.Args() {
			assert.Less(t, a, NumArgs, "%s: words stand before numbers", v)
			assert.True(t, !a.Bare() || i == 0 && verbs[v].args[0] == a, "%s: a bare number stands right after the verb", v)
		}
	}
	for a := range args {
		row := &args[a]
		assert.NotEmpty(t, row.doc, row.word)
		assert.True(t, taken[Arg(a)], "no verb takes %s", row.word)
		assert.True(t, row.required || row.Min <= row.Default && row.Default <= row.Max, row.word)
		isWord := row.kind == asName || row.kind == asTokens
		assert.Equal(t, Arg(a) >= NumArgs, isWord, "%s: what is no number has no place in Args", row.word)
	}
}
