package campaign

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/cache"
	"custody/sim"
	"custody/sim/cover"
	"custody/sim/engine"
	"custody/sim/gen"
	"custody/sim/local"
)

func TestARateOverNoTimeIsNone(t *testing.T) {
	require.Zero(t, perSecond(10, 0))
}

// mute is an engine that shows nothing beside its plans and outputs.
type mute struct{ engine.Engine }

func (m mute) Attach(cache.Observer) {}

func (m mute) Hello(s engine.Setup) (engine.Claims, error) {
	c, err := m.Engine.Hello(s)
	c.Facts = false
	return c, err
}

// What an engine does not show is no evidence: no table and no record may make it look like some.
func TestAPromiseThatIsNotCheckedIsNeverToldAsKept(t *testing.T) {
	seen := &cover.Recorder{}
	_, res, err := gen.Generate(1, gen.Profiles[0], sim.ExecuteOptions{
		Engine: func() engine.Engine { return mute{local.New()} }, Watch: []sim.Watcher{seen},
	})
	require.NoError(t, err)
	c := &campaign{}
	c.sum.Add(res, seen.Coverage())

	var table bytes.Buffer
	(&wordReporter{c}).promises(&table)
	(&wordReporter{c}).last(&table)
	for _, name := range []string{"order", "atomic", "reuse", "mirror", "drain"} {
		require.Regexp(t, `(?m)^.*\b`+name+`\b.*\bnot checked\b`, table.String())
	}
	require.Equal(t, 5, strings.Count(table.String(), notChecked+" "), table.String())
	require.Contains(t, table.String(),
		"every promise that was checked was kept in 1 seed; not checked: order, atomic, reuse, mirror, drain\n")

	record := c.record()
	require.True(t, record.Promises["order"].NotChecked)
	require.Zero(t, record.Promises["order"].Checks)
	require.False(t, record.Promises["content"].NotChecked)
	require.Contains(t, record.Missing, "promise: order is not checked of an engine that does not show its facts")
	text, err := json.Marshal(newWorkloadRun(res, seen.Coverage(), 0))
	require.NoError(t, err)
	require.Contains(t, string(text), `"not_checked":["order","atomic","reuse","mirror","drain"]`)
}
