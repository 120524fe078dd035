package museum

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/invariants"
)

// unseen are the exhibits that nothing gives away but what an engine may keep to itself.
var unseen = []string{
	"d02-writer-and-reader-differ", "d03-collision-ends-lookup", "reuse-hit-stops-short", // a lookup finds less than it could
	"mirror-clear-is-not-announced", "mirror-removed-with-the-first-copy", // KV events
	"order-wrong-victim", // the order of victims
}

// What goes wrong inside an engine that reports nothing comes out in its plans and outputs, as long as it is not a promise
// of which the engine shows nothing.
func TestAnExhibitShowsInPlansAlone(t *testing.T) {
	engines(t)
	for _, x := range opened(t).Exhibits {
		t.Run(x.ID, func(t *testing.T) {
			t.Parallel()
			r := probe(t, x.ID, "--silent", "--seeds", strconv.Itoa(seedsToDetection))
			for _, b := range r.Breaches {
				require.NotContains(t, []string{"order", "atomic", "reuse", "mirror"}, b.Promise, "nothing can be said of it")
			}
			if len(r.Found) > 0 {
				require.NotContains(t, unseen, x.ID)
				return
			}
			require.Contains(t, unseen, x.ID)
			require.NotZero(t, needs(x.Promise))
		})
	}
}

// needs is what an engine must not hide for a promise to be checked.
func needs(promise string) invariants.Hidden {
	for _, s := range invariants.Statements {
		if s.Name == promise {
			return s.Needs
		}
	}
	return 0
}
