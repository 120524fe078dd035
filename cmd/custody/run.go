package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/gofrs/flock"
	"github.com/spf13/cobra"

	"custody/sim"
	"custody/sim/fleet"
)

// maxWorkers bounds the worlds at once: more than cores help nobody.
const maxWorkers = 1024

// runOptions are the flags of `custody run`.
type runOptions struct {
	first   whole // the first seed
	seeds   whole // how many of its shard; not set: until the time is over
	shard   shard // the part of the seeds that this process runs
	time    span  // for how long; not set with seeds: until they are done
	model   *choice
	profile *choice
	out     string // directory for results; "" is none
	resume  bool   // go on with what is in out
	workers whole  // worlds at once
	json    bool
	cover   bool    // show the coverage by state, event and gap
	until   *choice // what ends the campaign, beside its limits; "" is nothing

	workload workloadFlags
}

const runDoc = `Run draws a script from each seed, executes it, and checks every promise after every step.

The digest covers the completed seeds in their order: the same seeds give the same digest, everywhere.
--out keeps every completed seed in DIR/seeds.jsonl as it goes, and --resume goes on behind the last one: the digest is
then that of all seeds, and the numbers are those of the new process. Each process needs a directory of its own; DIR/lock keeps others out.
--until has no time limit unless --for or --seeds gives one. A campaign that ends otherwise before everything is covered
has not done what was asked, and exits with 2 (1 if a promise was broken). Profiles without faults never cover everything.
Ctrl-C ends after the present seed and prints what was found; a second Ctrl-C ends at once.`

func newRun(c *console) *cobra.Command {
	o := runOptions{
		first: whole{value: 1}, seeds: whole{least: 1}, time: span{value: 5 * time.Second},
		shard: shard{n: 1}, workers: whole{value: uint64(runtime.NumCPU()), least: 1, most: maxWorkers},
		model: newRunModel(), profile: newProfile(), until: newUntil(), workload: newWorkloadFlags(),
	}
	cmd := &cobra.Command{
		Use: "run", Short: "Run seeds and check every promise after every step", Long: runDoc + "\n\n" + profileDoc(),
		Example: "  custody run\n  custody run --seeds 1000 --profile long\n  custody run --for 1h --out results --json > log",
		Args:    exactly(0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := oneKind(cmd.Flags()); err != nil {
				return err
			}
			if cmd.Flags().Changed(workloadFlag) {
				return runWorkload(c, &o)
			}
			return runCampaign(c, &o)
		},
	}
	f := cmd.Flags()
	f.Var(&o.first, "seed", "the first seed")
	f.Var(&o.seeds, "seeds", "how many seeds (default: as many as the time allows)")
	f.Var(&o.shard, "shard", "run every N-th seed from seed+I on: one process of N; --seeds counts the seeds of one shard")
	f.Var(&o.time, "for", "stop after this time (with --seeds or --until: no limit unless given)")
	f.Var(&o.workers, "workers", "worlds at once; what is found, and the digest, do not depend on it")
	f.Var(o.model, "model", "the model whose KV is watched; both: hash, and every 64th seed on the transformer besides")
	f.Var(o.profile, "profile", "what is drawn")
	f.StringVar(&o.out, "out", "", "`DIR` for summary.json, the seeds and the scripts of failing ones; made if absent, begun anew without --resume")
	f.BoolVar(&o.resume, "resume", false, "go on behind the last completed seed of --out; --seeds counts those before, too")
	f.BoolVar(&o.json, "json", false, "print one JSON object a line, the summary last")
	f.BoolVar(&o.cover, "coverage", false, "show what struck a request in which state, where its last operation stood, and the marks")
	f.Var(o.until, "until", "stop at the first seed that breaks a promise, or when everything that can be exercised has been")
	o.workload.register(f)
	return cmd
}

// The values of --until.
const (
	untilViolation = "violation"
	untilCovered   = "covered"
)

func newUntil() *choice { return newChoice("", untilViolation, untilCovered) }

func profileDoc() string {
	text := "Profiles:"
	for _, p := range sim.Profiles {
		text += fmt.Sprintf("\n  %-9s %s", p.Name, p.Doc)
	}
	return text
}

// check refuses options that contradict each other.
func (o *runOptions) check() error {
	if o.resume && o.out == "" {
		return usagef("--resume goes on in a directory: --out DIR is missing")
	}
	if _, ok := o.shard.seed(o.first.value, 0); !ok {
		return usagef("--shard %s has no seed from %d: the last seed is %d", &o.shard, o.first.value, uint64(math.MaxUint64))
	}
	if _, ok := o.shard.seed(o.first.value, o.seeds.value-1); o.seeds.set && !ok {
		return usagef("--seeds %d is too many from seed %d%s: the last seed is %d", o.seeds.value, o.first.value, o.shard.words(), uint64(math.MaxUint64))
	}
	return nil
}

// limited tells whether the time limit counts.
func (o *runOptions) limited() bool { return o.time.set || !o.seeds.set && o.until.value == "" }

// reporter says what a campaign finds: in words or as JSON.
type reporter interface {
	start(o *runOptions)
	violation(f *finding)
	summary(s *campaign)
}

// campaign is a run of seeds, one after the other.
type campaign struct {
	*runOptions
	console     *console
	profile     sim.Profile
	report      reporter
	bar         *progress
	interrupt   *interrupt
	second      *sim.Model // the transformer, if it runs
	sum         sim.Summary
	again       sim.Summary // of the seeds that ran on the transformer besides
	onlyAgain   int         // of them, those that broke a promise there only
	earlier     earlier
	journal     journal
	began       time.Time
	took        time.Duration
	firstBroken *finding
	interrupted bool
	written     []string // failing seeds' scripts
	lost        []error  // what could not be written
	lock        *flock.Flock
}

func runCampaign(c *console, o *runOptions) error {
	if err := o.check(); err != nil {
		return err
	}
	r := &campaign{runOptions: o, console: c, profile: profileNamed(o.profile), interrupt: onInterrupt(c)}
	defer r.interrupt.stop()
	if o.model.value != hashModel {
		var err error
		if r.second, err = newTransformer(); err != nil {
			return err
		}
	}
	defer r.unlock()
	if err := r.openOut(); err != nil {
		return err
	}
	r.run()
	r.conclude()
	return r.verdict()
}

// sampled is how often a seed runs on the transformer besides: it is a hundred times slower than the hash model.
const sampled = 64

func (r *campaign) every() uint64 {
	if r.model.value == transformerModel {
		return 1
	}
	return sampled
}

// openOut makes the directory for results. A resumed campaign's is there: a misspelt one must not become a new one.
func (r *campaign) openOut() error {
	if r.out == "" {
		return nil
	}
	if !r.resume {
		if err := os.MkdirAll(r.out, 0o755); err != nil {
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
	if r.json {
		r.report = &jsonReporter{campaign: r}
	}
	r.began = time.Now()
	r.report.start(r.runOptions)
	r.bar = r.console.newProgress("custody run", r.total())
	defer r.bar.done()
	first, left := r.shard.seed(r.first.value, r.earlier.seeds)
	if !left || r.enough() {
		return // a resumed campaign may be done already
	}
	fleet.Campaign{
		First: first, Stride: r.shard.n, Workers: int(r.workers.value), Profile: r.profile, Model: r.second, Every: r.every(),
	}.Run(r.take)
}

// take takes in one seed's result, and tells whether the campaign goes on.
func (r *campaign) take(x fleet.Taken) bool {
	if r.model.value == transformerModel {
		x.Result, x.Again = x.Again, nil
	}
	r.sum.Add(x.Result)
	if !x.Result.OK() {
		r.found(x, x.Result)
	}
	if x.Again != nil {
		r.again.Add(x.Again)
		if !x.Again.OK() && x.Result.OK() {
			r.onlyAgain++
			r.found(x, x.Again)
		}
	}
	r.journal.keep(x) // behind its script: who finds the line finds the script
	r.took = time.Since(r.began)
	if r.over(x.Seed) {
		return false
	}
	r.bar.show(r.done(), r.words)
	return true
}

// over tells whether a seed was the last one.
func (r *campaign) over(seed uint64) bool {
	r.interrupted = r.interrupt.asked.Load()
	return r.interrupted || seed > math.MaxUint64-r.shard.n || r.enough() || r.limited() && r.took >= r.time.value
}

// enough tells whether the seeds that are completed, by this process and those before, are what was asked for.
func (r *campaign) enough() bool {
	switch r.until.value {
	case untilViolation:
		if r.broken() > 0 {
			return true
		}
	case untilCovered:
		if r.sum.Covered() {
			return true
		}
	}
	return r.seeds.set && r.completed() >= r.seeds.value
}

// completed and broken count the seeds of this process and of those before.
func (r *campaign) completed() uint64 { return r.earlier.seeds + uint64(r.sum.Seeds) }
func (r *campaign) broken() int       { return r.earlier.violations + r.sum.Violations + r.onlyAgain }

// total and done are what the bar shows: what has been exercised if that is the aim, seeds if their number is known, else
// milliseconds; nothing if there is no limit.
func (r *campaign) total() int64 {
	switch {
	case r.until.value == untilCovered:
		_, all := r.sum.Reached()
		return int64(all)
	case r.seeds.set:
		return int64(min(r.seeds.value, math.MaxInt64))
	case r.limited():
		return max(r.time.value.Milliseconds(), 1)
	}
	return 1
}

func (r *campaign) done() int64 {
	switch {
	case r.until.value == untilCovered:
		reached, _ := r.sum.Reached()
		return int64(reached)
	case r.seeds.set:
		return int64(r.completed())
	}
	return r.took.Milliseconds()
}

func (r *campaign) words() string {
	return fmt.Sprintf("%s seeds, %s steps, %s broken",
		grouped(int64(r.sum.Seeds)), grouped(r.sum.Work.Steps), grouped(int64(r.sum.Violations)))
}

// maxWritten bounds the failing seeds whose scripts are written to --out: a seed can always be run again.
const maxWritten = 100

// found takes in a seed that breaks a promise.
func (r *campaign) found(x fleet.Taken, res *sim.Result) {
	var on *sim.Model
	if res == x.Again || r.model.value == transformerModel {
		on = r.second
	}
	f := newFinding(x.Seed, r.profile.Name, x.Script, res, on)
	if r.firstBroken == nil {
		r.firstBroken = f
	}
	if r.json || r.firstBroken == f {
		f.narrate()
	}
	if r.out != "" && len(r.written) < maxWritten {
		name := filepath.Join(r.out, fmt.Sprintf("seed-%d.trace", x.Seed))
		r.write(name, f.script.String())
		r.written = append(r.written, name)
	}
	r.report.violation(f)
}

// write keeps a result, and what went wrong if it cannot: the campaign goes on, and its summary is printed.
func (r *campaign) write(name, text string) {
	if err := writeFile(name, text); err != nil {
		r.lost = append(r.lost, err)
	}
}

// conclude writes and prints the summary.
func (r *campaign) conclude() {
	if err := r.journal.close(); err != nil {
		r.lost = append(r.lost, err)
	}
	if r.out != "" {
		r.write(filepath.Join(r.out, "summary.json"), indented(r.record()))
	}
	for _, err := range r.lost {
		r.console.warn("custody: not written: %v", err)
	}
	r.report.summary(r)
}

// verdict is how the command ends: a result that could not be written is worse than a broken promise, which is printed.
func (r *campaign) verdict() error {
	switch {
	case len(r.lost) > 0:
		return fmt.Errorf("%s could not be written to %s: %w", plural(int64(len(r.lost)), "file"), r.out, r.lost[0])
	case r.broken() > 0:
		return errBroken
	case r.until.value == untilCovered && !r.sum.Covered():
		reached, all := r.sum.Reached()
		return fmt.Errorf("not covered: %d of %d were not exercised in %s (the summary lists them); give it more with --for or --seeds",
			all-reached, all, plural(int64(r.sum.Seeds), "seed"))
	}
	return nil
}
