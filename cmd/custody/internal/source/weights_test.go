package source

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/traces"
)

// stories is the smallest of the TinyStories models by the author of llama2.c; from its first token it tells, greedily,
// " Once upon a time, there was a little girl". The numbers are those words in its own tokenizer.
const stories = "../../../../../shared/checkpoints/stories260K.bin"

// A real checkpoint runs in the whole engine: scheduler, paged cache, every promise.
func TestACheckpointOfLlama2cTellsItsStoryInTheEngine(t *testing.T) {
	if _, err := os.Stat(stories); err != nil {
		t.Skip("the checkpoint is not here")
	}
	m, err := LoadModel(stories)
	require.NoError(t, err)
	s, err := traces.Parse("story", "config vocab=512 chunk=1\nsubmit r1 tenant=amber prompt=1 max=12\n"+
		"preempt r1 when tokens=5\ndrain\n")
	require.NoError(t, err)
	res, err := Narrate(s, m)
	require.NoError(t, err)
	require.True(t, res.OK(), res.Breaches)
	var told []string
	for _, got := range regexp.MustCompile(`r1 gets (.*)`).FindAllStringSubmatch(res.Trace(s).String(), -1) {
		told = append(told, got[1])
	}
	require.Equal(t, "403 407 261 378 432 383 286 261 376 298 315 421", strings.Join(told, " "))
}
