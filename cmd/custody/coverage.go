package main

import (
	"fmt"
	"io"
	"slices"

	"custody/scheduler"
	"custody/sim"
)

// coveredEvents take a request away from what it was doing: what a campaign is worth depends on when they struck.
var coveredEvents = []scheduler.On{scheduler.OnCancel, scheduler.OnPreempt, scheduler.OnRequeue, scheduler.OnRefuse}

// coverage is the table of --coverage: by state and event, where the request's last operation stood.
func (r *wordReporter) coverage(w io.Writer) {
	t := newTable(w, "state", "event", "idle", "issued", "finished", "all")
	numbers(t, 3, 4, 5, 6)
	c := &r.sum.Coverage
	for _, x := range scheduler.Lifecycle {
		if slices.Contains(coveredEvents, x.On) {
			t.AppendRow(append(append([]any{x.From.String(), x.On.String()}, gapWords(c, x)...), grouped(c.Lifecycle[x.From][x.On])))
		}
	}
	t.Render()
	fmt.Fprintln(w, "idle, issued, finished: the last operation on the request's slot; counted for cancellations and forced preemptions")
}

// gapWords are a row's counts by gap. What is not expected to happen, and what is not counted by gap, is left empty, for
// a 0 is a hole in the coverage. A count is shown even where none is expected: an earlier owner's pass may name the slot.
func gapWords(c *sim.Coverage, x scheduler.Transition) []any {
	words := make([]any, sim.NumGaps)
	for g := range sim.NumGaps {
		words[g] = ""
		if counts := gapCounts(c, x); counts != nil && (counts[g] > 0 || g.In(x.From)) {
			words[g] = grouped(counts[g])
		}
	}
	return words
}

// gapCounts are the counts by gap of what a script can do at any time.
func gapCounts(c *sim.Coverage, x scheduler.Transition) []int64 {
	switch x.On {
	case scheduler.OnCancel:
		return c.Cancels[x.From][:]
	case scheduler.OnPreempt:
		return c.Preempts[x.From][:]
	}
	return nil
}

// cells are everything that a campaign can exercise, by the names that "missing" has for them.
func cells(c *sim.Coverage) map[string]int64 {
	m := map[string]int64{}
	c.Cells(func(n int64, format string, args ...any) { m[fmt.Sprintf(format, args...)] = n })
	return m
}
