package museum

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// checkFix: the engine with the fix keeps the promise that the bug breaks, under the bug's own script.
func checkFix(t *testing.T, fix, bug *Exhibit) {
	for _, b := range probe(t, fix.ID, "--script", write(t, bug.Script)).Breaches {
		require.NotEqual(t, bug.Promise, b.Promise, "%s does not fix %s: %s", fix.ID, bug.ID, b.Message)
	}
}

// Safety and liveness fixes trade places: both members of such a pair are here, each names the other, and they break
// different promises.
func TestEveryFixThatPlantsTheNextBugStandsBesideItsBug(t *testing.T) {
	m := opened(t)
	pairs := 0
	for _, x := range m.Exhibits {
		if x.FixedBy != "" {
			fix := m.Exhibit(x.FixedBy)
			require.NotNil(t, fix, "%s: there is no exhibit %s", x.ID, x.FixedBy)
			require.Equal(t, x.ID, fix.Fixes, "%s does not name its bug", fix.ID)
			require.NotEqual(t, x.Promise, fix.Promise, "%s and %s break one promise", x.ID, fix.ID)
			pairs++
		}
		if x.Fixes != "" {
			require.NotNil(t, m.Exhibit(x.Fixes), "%s: there is no exhibit %s", x.ID, x.Fixes)
			require.Equal(t, x.ID, m.Exhibit(x.Fixes).FixedBy, "%s does not name its fix", x.Fixes)
			require.Contains(t, x.Story, "The fix of its partner.", x.ID)
		}
	}
	require.GreaterOrEqual(t, pairs, 3)
}
