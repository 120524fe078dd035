package campaign

import (
	"fmt"
	"io"

	"custody/cmd/custody/internal/term"
	"custody/invariants"
	"custody/sim"
	"custody/sim/cover"
)

// sweep is the table of --coverage: what took a request away from what it was doing, by state, by the passes that may be
// outstanding at once, and by where the request's last operation stood.
func (r *wordReporter) sweep(w io.Writer) {
	t := term.NewTable(w, "state", "event", "depth", "idle", "issued", "finished")
	term.Numbers(t, 4, 5, 6)
	var row []any
	r.sum.Coverage.Interrupts.Visit(func(c cover.Cell, n int64) {
		if c.Phase == 0 {
			row = []any{c.State.String(), c.On.String(), depthWord(c.Depth)}
		}
		if row = append(row, cellWord(c, n)); c.Phase == sim.NumPhases-1 {
			t.AppendRow(row)
		}
	})
	t.Render()
	fmt.Fprintln(w, "idle, issued, finished: the last operation issued for the request (before the refused one)")
	fmt.Fprintln(w, "-: it cannot be; (0): it takes a script of its own, and the sweep test of sim has one")
}

// depthWord is the word for a depth: from 2 on they are counted together.
func depthWord(depth int) string {
	if depth > 1 {
		return "2+"
	}
	return "1"
}

// cellWord is a cell's count. What cannot be is not a 0, for a 0 is a hole in the coverage.
func cellWord(c cover.Cell, n int64) string {
	switch {
	case n == 0 && c.Impossible() != "":
		return "-"
	case n == 0 && c.Scripted():
		return "(0)"
	}
	return term.Grouped(n)
}

// marks is the table of what must have happened sometimes, and what it says when it has.
func (r *wordReporter) marks(w io.Writer) {
	t := term.NewTable(w, "mark", "seeds", "pair of", "what happened")
	term.Numbers(t, 2)
	for _, m := range invariants.Marks {
		pair := ""
		if m.Pair != invariants.NumPromises {
			pair = invariants.Statements[m.Pair].Name
		}
		t.AppendRow([]any{m.Name, term.Grouped(r.sum.Coverage.Marks[m.Mark]), pair, m.Sentence})
	}
	t.Render()
}

func markCounts(c *cover.Coverage) map[string]int64 {
	m := map[string]int64{}
	for _, x := range invariants.Marks {
		m[x.Name] = c.Marks[x.Mark]
	}
	return m
}

// sweepRecord is a cell of the sweep for programs.
type sweepRecord struct {
	State      string `json:"state"`
	Event      string `json:"event"`
	Gap        string `json:"gap"`
	Depth      int    `json:"depth"` // 1, or 2 for two and more
	Times      int64  `json:"times"`
	Scripted   bool   `json:"scripted"`             // it takes a script of its own: not among "missing"
	Impossible string `json:"impossible,omitempty"` // why it cannot be
}

func sweepRecords(c *cover.Coverage) []sweepRecord {
	var list []sweepRecord
	c.Interrupts.Visit(func(x cover.Cell, n int64) {
		list = append(list, sweepRecord{x.State.String(), x.On.String(), x.Phase.String(), x.Depth, n, x.Scripted(), x.Impossible()})
	})
	return list
}

// cells are everything that a campaign can exercise, by the names that "missing" has for them.
func cells(c *cover.Coverage) map[string]int64 {
	m := map[string]int64{}
	c.Cells(func(n int64, format string, args ...any) { m[fmt.Sprintf(format, args...)] = n })
	return m
}
