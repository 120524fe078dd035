// Package campaign is `custody run`: many seeds, one after the other, or one recording.
//
//	seeds ──▶ fleet ──▶ take, in order ──▶ journal, scripts of failing seeds ──▶ summary
//	                       │                                                      │
//	                       └──▶ first breach at once                              └──▶ tables, or JSON
//
// What was found is printed even if it cannot be written, and a process that dies costs the seed that it was at.
package campaign

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"custody/cmd/custody/internal/exit"
	"custody/cmd/custody/internal/source"
	"custody/cmd/custody/internal/term"
	"custody/cmd/internal/files"
	"custody/sim"
	"custody/sim/cover"
	"custody/sim/fleet"
	"custody/sim/gen"
)

// The values of --until.
const (
	UntilViolation = "violation"
	UntilCovered   = "covered"
)

// Options say which seeds are run, on what, and until when.
type Options struct {
	First   uint64
	Seeds   uint64        // how many of its shard; 0: until the time is over
	Shard   Shard         // the part of the seeds that this process runs
	Time    time.Duration // 0: no limit
	Model   string        // its name
	Profile gen.Profile
	Until   string // what ends the campaign, beside its limits; "" is nothing
	Workers int    // worlds at once
	Out     string // directory for results; "" is none
	Resume  bool   // go on with what is in out
	JSON    bool
	Cover   bool // show the coverage by state, event and gap
}

// reporter says what a campaign finds: in words or as JSON.
type reporter interface {
	start()
	violation(f *finding)
	summary()
}

// campaign is a run of seeds, one after the other.
type campaign struct {
	Options
	console     *term.Console
	report      reporter
	bar         *term.Progress
	interrupt   *term.Interrupt
	sum         cover.Summary
	again       sample
	earlier     earlier
	journal     journal
	began       time.Time
	took        time.Duration
	firstBroken *finding
	interrupted bool
	written     []string // failing seeds' scripts
	lost        []error  // what could not be written
	cannot      error    // why a seed's world cannot be run
	lock        *flock.Flock
}

// Run is `custody run` on seeds.
func Run(c *term.Console, o Options) error {
	r := &campaign{Options: o, console: c, interrupt: term.OnInterrupt(c)}
	defer r.interrupt.Stop()
	var err error
	if r.again, err = newSample(o.Model); err != nil {
		return err
	}
	defer r.unlock()
	if err := r.openOut(); err != nil {
		return err
	}
	r.run()
	r.conclude()
	return r.verdict()
}

// openOut makes the directory for results. A resumed campaign's is there: a misspelt one must not become a new one.
func (r *campaign) openOut() error {
	if r.Out == "" {
		return nil
	}
	if !r.Resume {
		if err := os.MkdirAll(r.Out, 0o755); err != nil {
			return fmt.Errorf("the directory for results cannot be made: %w", err)
		}
	}
	if err := r.lockOut(); err != nil {
		return err
	}
	return r.openJournal()
}

// run runs the seeds.
func (r *campaign) run() {
	r.report = &wordReporter{campaign: r}
	if r.JSON {
		r.report = &jsonReporter{campaign: r}
	}
	r.began = time.Now()
	r.report.start()
	r.bar = r.console.NewProgress("custody run", r.total())
	defer r.bar.Done()
	first, left := r.Shard.Seed(r.First, r.earlier.seeds)
	if !left || r.enough() {
		return // a resumed campaign may be done already
	}
	fleet.Campaign{
		First: first, Stride: r.Shard.N, Workers: r.Workers, Profile: r.Profile, Model: r.again.model, Every: r.again.every,
	}.Run(r.take)
}

// take takes in one seed's result, and tells whether the campaign goes on.
func (r *campaign) take(x fleet.Taken) bool {
	if x.Err != nil {
		r.cannot = x.Err
		return false
	}
	if r.Model == source.TransformerModel {
		x.Result, x.Again = x.Again, nil
	}
	r.sum.Add(x.Result, x.Seen)
	if !x.Result.OK() {
		r.found(x, x.Result)
	}
	if x.Again != nil && r.again.take(x) {
		r.found(x, x.Again)
	}
	r.journal.keep(x) // behind its script: who finds the line finds the script
	r.took = time.Since(r.began)
	if r.over(x.Seed) {
		return false
	}
	r.bar.Show(r.done(), r.words)
	return true
}

// maxWritten bounds the failing seeds whose scripts are written to --out: a seed can always be run again.
const maxWritten = 100

// found takes in a seed that breaks a promise.
func (r *campaign) found(x fleet.Taken, res *sim.Result) {
	var on *sim.WorkerModel
	if res == x.Again || r.Model == source.TransformerModel {
		on = r.again.model
	}
	f := newFinding(x.Seed, r.Profile.Name, x.Script, res, on)
	if r.firstBroken == nil {
		r.firstBroken = f
	}
	if r.JSON || r.firstBroken == f {
		f.narrate()
	}
	if r.Out != "" && len(r.written) < maxWritten {
		name := filepath.Join(r.Out, fmt.Sprintf("seed-%d.trace", x.Seed))
		r.write(name, []byte(f.script.String()))
		r.written = append(r.written, name)
	}
	r.report.violation(f)
}

// write keeps a result, and what went wrong if it cannot: the campaign goes on, and its summary is printed.
func (r *campaign) write(name string, data []byte) {
	if err := files.Write(name, data); err != nil {
		r.lost = append(r.lost, err)
	}
}

// conclude writes and prints the summary.
func (r *campaign) conclude() {
	if err := r.journal.close(); err != nil {
		r.lost = append(r.lost, err)
	}
	if r.Out != "" {
		r.write(filepath.Join(r.Out, "summary.json"), indented(r.record()))
	}
	for _, err := range r.lost {
		r.console.Warn("custody: not written: %v", err)
	}
	r.report.summary()
}

// verdict is how the command ends: a result that could not be written is worse than a broken promise, which is printed.
func (r *campaign) verdict() error {
	switch {
	case r.cannot != nil:
		return r.cannot
	case len(r.lost) > 0:
		return fmt.Errorf("%s could not be written to %s: %w", term.Plural(int64(len(r.lost)), "file"), r.Out, r.lost[0])
	case r.broken() > 0:
		return exit.ErrBroken
	case r.Until == UntilCovered && !r.sum.Covered():
		reached, all := r.sum.Reached()
		return fmt.Errorf("not covered: %d of %d were not exercised in %s (the summary lists them); give it more with --for or --seeds",
			all-reached, all, term.Plural(int64(r.sum.Seeds), "seed"))
	}
	return nil
}
