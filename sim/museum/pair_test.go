package museum

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// checkFix: the engine with the fix keeps the promise that the bug breaks, under the bug's own script.
func checkFix(t *testing.T, fix, bug *Exhibit, planted string) {
	for _, b := range probe(t, planted, "--script", write(t, bug.Script)).Breaches {
		require.NotEqual(t, bug.Promise, b.Promise, "%s does not fix %s: %s", fix.ID, bug.ID, b.Message)
	}
}

// Safety and liveness fixes trade places: both members of such a pair are here, each names the other, and they break
// different promises.
func TestEveryFixThatPlantsTheNextBugStandsBesideItsBug(t *testing.T) {
	exhibits, err := Load("exhibits")
	require.NoError(t, err)
	byID := map[string]*Exhibit{}
	for _, x := range exhibits {
		byID[x.ID] = x
	}
	pairs := 0
	for _, x := range exhibits {
		if x.FixedBy != "" {
			fix := byID[x.FixedBy]
			require.NotNil(t, fix, "%s: there is no exhibit %s", x.ID, x.FixedBy)
			require.Equal(t, x.ID, fix.Fixes, "%s does not name its bug", fix.ID)
			require.NotEqual(t, x.Promise, fix.Promise, "%s and %s break one promise", x.ID, fix.ID)
			pairs++
		}
		if x.Fixes != "" {
			require.NotNil(t, byID[x.Fixes], "%s: there is no exhibit %s", x.ID, x.Fixes)
			require.Equal(t, x.ID, byID[x.Fixes].FixedBy, "%s does not name its fix", x.Fixes)
			require.Contains(t, x.Story, "The fix of its partner.", x.ID)
		}
	}
	require.GreaterOrEqual(t, pairs, 3)
}
