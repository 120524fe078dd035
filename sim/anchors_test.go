package sim_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/sim"
	"custody/traces"
)

// idleAnchors is a script in which so many events wait for requests that never come so far, while four others run.
func idleAnchors(n int) *traces.Script {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "cancel wait%d when tokens=3\n", i)
	}
	for i := range 4 {
		fmt.Fprintf(&b, "submit r%d tenant=amber prompt=1,2,3 max=40\n", i)
	}
	return traces.ParseAny(b.String() + "drain\n")
}

// Events that wait change nothing but the drain's bound: they do nothing, and the others are served as without them.
func TestAnchorsThatNeverFireLeaveTheRestAlone(t *testing.T) {
	without, with := execute(t, idleAnchors(0), sim.ExecuteOptions{}), execute(t, idleAnchors(500), sim.ExecuteOptions{})
	require.True(t, with.OK())
	require.Equal(t, without.Work, with.Work)
	for i := range 500 {
		require.True(t, with.Noop[i])
	}
}

// BenchmarkIdleAnchors is the cost of one script with n events that never happen.
func BenchmarkIdleAnchors(b *testing.B) {
	for _, n := range []int{10, 1000, 5000} {
		s := idleAnchors(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				execute(b, s, sim.ExecuteOptions{})
			}
		})
	}
}

// execute runs a script that can be run.
func execute(t testing.TB, s *traces.Script, o sim.ExecuteOptions) *sim.Result {
	t.Helper()
	r, err := sim.Execute(s, o)
	require.NoError(t, err)
	return r
}
