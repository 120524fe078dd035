package cover

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/scheduler"
	"custody/sim"
	"custody/traces"
)

// spot brings the request r into a state, with its last operation in a phase. The event comes at the end of lines, behind
// a space if there is an anchor.
type spot struct {
	state  scheduler.State
	phase  sim.OpPhase
	depth  int    // 0: any
	config string // beside depth
	lines  string
	when   string // anchor of the event
}

// same is what somebody computed before: one block, which r finds whole and has copied.
const same = "submit other tenant=amber prompt=\"same\"\n+100\nsubmit r tenant=amber prompt=\"same\" max=3\n"

var spots = []spot{
	{scheduler.Waiting, sim.PhaseIdle, 0, "", `submit r tenant=amber prompt="three"`, ""},
	{scheduler.Loading, sim.PhaseIssued, 0, "copy=40", same, "when state=loading"},
	{scheduler.Loading, sim.PhaseFinished, 0, "copy=40", same + "run 2", ""},
	{scheduler.Loaded, sim.PhaseIdle, 0, "copy=40", same, "when state=loaded"},

	// One token a pass and no overlap: the other one takes every second pass.
	{scheduler.Prefill, sim.PhaseIdle, 1, "chunk=4", `submit r tenant=amber prompt="twelve bytes"`, "when chunk=1"},
	{scheduler.Prefill, sim.PhaseIdle, 2, "budget=1 overlap=off",
		"submit other tenant=amber prompt=\"a\" max=3\nsubmit r tenant=amber prompt=\"bcd\"", "when chunk=1"},
	{scheduler.Prefill, sim.PhaseIssued, 0, "chunk=4", `submit r tenant=amber prompt="twelve bytes"`, "when issued=1"},
	{scheduler.Prefill, sim.PhaseFinished, 1, "chunk=4", `submit r tenant=amber prompt="8 bytes."`, "when done=1"},
	{scheduler.Prefill, sim.PhaseFinished, 2, "chunk=4 overlap=off", `submit r tenant=amber prompt="8 bytes."`, "when done=2"},

	{scheduler.Decode, sim.PhaseIdle, 0, "overlap=off", `submit r tenant=amber prompt="four" max=3`, "when tokens=1"},
	{scheduler.Decode, sim.PhaseIssued, 1, "", `submit r tenant=amber prompt="four" max=4`, "when issued=2"},
	{scheduler.Decode, sim.PhaseIssued, 2, "", `submit r tenant=amber prompt="four" max=4`, "when issued=3"},
	{scheduler.Decode, sim.PhaseFinished, 0, "", `submit r tenant=amber prompt="four" max=2`, "when done=2"},

	{scheduler.Preempted, sim.PhaseIdle, 0, "overlap=off",
		"submit r tenant=amber prompt=\"four\" max=3\npreempt r when tokens=1", "when state=preempted"},
	{scheduler.Preempted, sim.PhaseIssued, 0, "",
		"submit r tenant=amber prompt=\"four\" max=3\npreempt r when issued=1", "when state=preempted"},
	{scheduler.Preempted, sim.PhaseFinished, 0, "overlap=off",
		"submit r tenant=amber prompt=\"four\" max=3\npreempt r when done=1", "when state=preempted"},
}

// refusedSpots are where a refused pass finds r; the lines say which pass that is, and FINAL stands for the kind.
var refusedSpots = []spot{
	{scheduler.Prefill, sim.PhaseIdle, 0, "", "submit r tenant=amber prompt=\"four\"\nrefuse rFINAL", ""},
	{scheduler.Prefill, sim.PhaseIssued, 2, "chunk=4", "submit r tenant=amber prompt=\"8 bytes.\"\nrefuse r chunk=2FINAL", ""},
	// r is admitted again while the pass of its earlier life is outstanding.
	{scheduler.Prefill, sim.PhaseFinished, 2, "overlap=off",
		"submit r tenant=amber prompt=\"four\"\npreempt r when done=1\nrefuse rFINAL when state=preempted", ""},
	// With one pass outstanding it can only be a copy; with one row there is no second copy, so r is admitted to a pass.
	{scheduler.Prefill, sim.PhaseIssued, 1, "rows=1 copy=40",
		same + "preempt r when state=loading\nrefuse rFINAL when state=preempted", ""},
	{scheduler.Prefill, sim.PhaseFinished, 1, "rows=1 copy=40", same + "run 2\npreempt r\nrefuse rFINAL", ""},

	{scheduler.Decode, sim.PhaseIdle, 0, "overlap=off", "submit r tenant=amber prompt=\"four\" max=3\nrefuse r chunk=2FINAL", ""},
	{scheduler.Decode, sim.PhaseIssued, 2, "", "submit r tenant=amber prompt=\"four\" max=4\nrefuse r chunk=3FINAL", ""},
	{scheduler.Decode, sim.PhaseFinished, 2, "blocks=4 rows=2 copy=1", unblocked, ""},
}

// unblocked: r lacks a block for its third pass, and one that a cancelled request is about to return keeps it waiting.
// When its second pass has finished, a request that no operation names is cancelled: its block returns at once.
const unblocked = `submit other tenant=amber prompt="same"
+100
submit r tenant=amber prompt="abc" max=4
submit gone tenant=amber prompt="same!" max=4
refuse r chunk=3FINAL
run 1
submit held tenant=amber prompt="same"
run 3
cancel gone
run 5
cancel held`

// script writes the spot's script with the event at its end.
func (p *spot) script(t *testing.T, depth int, event string) *traces.Script {
	t.Helper()
	text := fmt.Sprintf("config depth=%d %s\ntenant amber\n%s\n", depth, p.config, strings.TrimSpace(p.lines))
	if event != "" {
		text += strings.TrimSpace(event+" "+p.when) + "\n"
	}
	s, err := traces.Parse("sweep", text+"drain\nexpect ok\n")
	require.NoError(t, err, text)
	return s
}

// interruptScript is the script that reaches a cell.
func interruptScript(t *testing.T, c Cell) *traces.Script {
	t.Helper()
	list, event, final := spots, "cancel r", ""
	switch c.On {
	case scheduler.OnPreempt:
		event = "preempt r"
	case scheduler.OnRefuse:
		list, event, final = refusedSpots, "", " final"
	case scheduler.OnRequeue:
		list, event = refusedSpots, ""
	}
	for _, p := range list {
		if p.state == c.State && p.phase == c.Phase && (p.depth == 0 || p.depth == c.Depth) {
			p.lines = strings.ReplaceAll(p.lines, "FINAL", final)
			return p.script(t, c.Depth, event)
		}
	}
	require.Failf(t, "no script", "%+v", c)
	return nil
}

// Every cell that can be is reached by a script of its own, and no promise breaks in it.
func TestTheMatrixReachesEveryCellThatCanBe(t *testing.T) {
	var all Coverage
	all.Interrupts.Visit(func(c Cell, _ int64) {
		if c.Impossible() != "" {
			return
		}
		t.Run(fmt.Sprintf("%s/%s/%s/depth=%d", c.On, c.State, c.Phase, c.Depth), func(t *testing.T) {
			s := interruptScript(t, c)
			r, seen := watched(t, s)
			require.True(t, r.OK(), "%v\n%s", r.Breaches, r.Trace(s))
			require.Positive(t, seen.Interrupts.at(c), "%s", r.Trace(s))
			for i, noop := range r.Noop {
				require.False(t, noop, "line %d does nothing: %s", i+1, r.Trace(s))
			}
			all.Add(seen)
		})
	})
	requireOnlyPossibleCells(t, &all)
}

// at is a cell's count.
func (s *Matrix) at(c Cell) int64 {
	return s[interruptIndex(c.On)][c.State][c.Phase][c.Depth-1]
}

// requireOnlyPossibleCells: what the table of cells calls impossible does not happen, nor what the lifecycle lacks.
func requireOnlyPossibleCells(t *testing.T, c *Coverage) {
	t.Helper()
	var visited, total int64
	c.Interrupts.Visit(func(x Cell, n int64) {
		visited += n
		if why := x.Impossible(); why != "" {
			require.Zero(t, n, "%+v: %s", x, why)
		}
	})
	for i := range c.Interrupts {
		for s := range c.Interrupts[i] {
			for g := range c.Interrupts[i][s] {
				total += c.Interrupts[i][s][g][0] + c.Interrupts[i][s][g][1]
			}
		}
	}
	require.Equal(t, visited, total)
}
