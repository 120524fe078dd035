package cross

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"custody/scheduler/protocol"
	"custody/traces"
)

func TestTheCrossComparesWhatBothRunsHaveGiven(t *testing.T) {
	whole := func(tokens ...int32) *Heard { return &Heard{Tokens: tokens, End: protocol.LengthEnd} }
	cut := func(tokens ...int32) *Heard { return &Heard{Tokens: tokens, End: protocol.Cancelled} }
	for name, c := range map[string]struct {
		a, b *Heard
		want bool
	}{
		"the same":                         {whole(1, 2), whole(1, 2), true},
		"another token":                    {whole(1, 2), whole(1, 3), false},
		"cut short":                        {whole(1, 2), cut(1), true},
		"cut short, and another token":     {whole(1, 2), cut(3), false},
		"both whole, of different lengths": {whole(1, 2), whole(1), false},
		"turned away":                      {whole(1, 2), &Heard{}, true},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, c.a.agrees(c.b))
			require.Equal(t, c.want, c.b.agrees(c.a))
		})
	}
}

func TestTheCrossSaysWhoSawWhatUnderWhichPolicies(t *testing.T) {
	s, err := traces.Parse("x.trace", "submit r1 tenant=amber prompt=\"hello\" max=2\ndrain\n")
	require.NoError(t, err)
	other := s.Config
	other[traces.Depth] = 2
	d := disagree(s, s.Config, other, map[int]*Heard{0: {Tokens: []int32{1}}}, map[int]*Heard{0: {Tokens: []int32{2}}})
	require.Equal(t, "r1 saw [1] under {publish=settled release=settled free=vllm chunk=0 rows=4 cache=on depth=1} and [2] under "+
		"{publish=settled release=settled free=vllm chunk=0 rows=4 cache=on depth=2}", d.String())
}

func TestTheCrossVisitsEveryValueOfTheChoicesThatItCrosses(t *testing.T) {
	visited := map[traces.Key]map[int64]bool{}
	for _, x := range crossed {
		visited[x.key] = map[int64]bool{}
	}
	combinations(traces.DefaultConfig(), 0, func(c traces.Config) bool {
		for k := range visited {
			visited[k][c[k]] = true
		}
		return true
	})
	for k := range visited {
		for v, word := range traces.Keys[k].Names {
			assert.True(t, visited[k][int64(v)], "%s=%s is never crossed", traces.Keys[k].Name, word)
		}
	}
}
