package campaign

import (
	"fmt"
	"io"
	"time"

	"custody/cmd/custody/internal/term"
	"custody/invariants"
	"custody/scheduler/protocol"
	"custody/sim"
	"custody/sim/cover"
)

// workloadRun is a workload that has been run.
type workloadRun struct {
	Rows      int              `json:"requests"`
	Bad       int              `json:"rows_left_out"`
	Divisor   int              `json:"divisor"`
	Model     string           `json:"model"`
	Steps     int64            `json:"steps"`
	Passes    int64            `json:"passes"`
	Tokens    int64            `json:"tokens"`
	Reads     int64            `json:"slot_reads"`
	Ticks     int64            `json:"ticks"`
	Seconds   float64          `json:"seconds"`
	PerSecond float64          `json:"requests_per_second"`
	Ends      map[string]int64 `json:"ends"`
	Checks    map[string]int64 `json:"checks"`
	Unchecked []string         `json:"not_checked,omitempty"`
	Broken    []string         `json:"broken"`
	Digest    string           `json:"digest"`

	res  *sim.Result
	seen *cover.Coverage
}

func newWorkloadRun(res *sim.Result, seen *cover.Coverage, took time.Duration) *workloadRun {
	r := &workloadRun{
		Steps: res.Work.Steps, Passes: res.Work.Passes, Tokens: res.Work.Tokens, Reads: res.Work.Reads, Ticks: int64(res.Ticks),
		Seconds: took.Seconds(), Ends: map[string]int64{}, Checks: map[string]int64{}, Broken: []string{}, Digest: res.Digest.String(),
		res: res, seen: seen,
	}
	for _, e := range endCounts(seen) {
		r.Ends[e.name] = e.n
	}
	for id := range invariants.Statements {
		r.Checks[invariants.Statements[id].Name] = res.Checks[id]
	}
	for _, id := range res.Unchecked {
		r.Unchecked = append(r.Unchecked, invariants.Statements[id].Name)
	}
	for i := range res.Breaches {
		r.Broken = append(r.Broken, res.PromiseName(&res.Breaches[i]))
	}
	return r
}

func (r *workloadRun) print(c *term.Console, asJSON bool) {
	r.PerSecond = float64(r.Rows) / max(r.Seconds, 1e-9)
	if asJSON {
		c.Out.Write(indented(r))
		return
	}
	r.words(c.Out)
}

func (r *workloadRun) words(w io.Writer) {
	for _, line := range [][2]string{
		{"requests", fmt.Sprintf("%s, lengths and times divided by %d; %s left out", term.Grouped(int64(r.Rows)), r.Divisor,
			term.Plural(int64(r.Bad), "bad row"))},
		{"accepted", term.Grouped(r.seen.Denials[protocol.NoReason])},
		{"ends", listed(endCounts(r.seen))},
		{"steps", term.Grouped(r.Steps)},
		{"passes", term.Grouped(r.Passes)},
		{"tokens sampled", term.Grouped(r.Tokens)},
		{"slot reads checked", term.Grouped(r.Reads)},
		{"virtual time", term.Grouped(r.Ticks) + " ticks"},
		{"real time", fmt.Sprintf("%.1f s, %s requests a second on the %s model",
			r.Seconds, term.Grouped(int64(r.PerSecond)), r.Model)},
		{"digest", r.Digest},
	} {
		fmt.Fprintf(w, "%-20s %s\n", line[0], line[1])
	}
	if r.res.OK() {
		fmt.Fprintf(w, "\n%s%s\n", kept(r.Unchecked), butNot(r.Unchecked))
		return
	}
	fmt.Fprintf(w, "\n%s\nbroken: %v\n", r.res.Message(0), r.Broken)
}
