package main

import (
	"fmt"
	"math"
	"runtime"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"custody/cmd/custody/internal/campaign"
	"custody/cmd/custody/internal/exit"
	"custody/cmd/custody/internal/term"
	"custody/sim/gen"
)

// maxWorkers bounds the worlds at once: more than cores help nobody.
const maxWorkers = 1024

// runOptions are the flags of `custody run`.
type runOptions struct {
	first   whole          // the first seed
	seeds   whole          // how many of its shard; not set: until the time is over
	shard   campaign.Shard // the part of the seeds that this process runs
	time    span           // for how long; not set with seeds: until they are done
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
then that of all seeds, and the numbers are those of the new process. Each process needs a directory of
its own; DIR/lock keeps others out.
--until has no time limit unless --for or --seeds gives one. A campaign that ends otherwise before everything is covered
has not done what was asked, and exits with 2 (1 if a promise was broken). Profiles without faults never cover everything.
Ctrl-C ends after the present seed and prints what was found; a second Ctrl-C ends at once.`

func newRun(c *term.Console) *cobra.Command {
	o := runOptions{
		first: whole{value: 1}, seeds: whole{least: 1}, time: span{value: 5 * time.Second},
		shard: campaign.Shard{N: 1}, workers: whole{value: uint64(runtime.NumCPU()), least: 1, most: maxWorkers},
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
				return o.workload.run(c, &o)
			}
			if err := o.check(); err != nil {
				return err
			}
			return campaign.Run(c, o.campaign())
		},
	}
	o.register(cmd.Flags())
	return cmd
}

func (o *runOptions) register(f *pflag.FlagSet) {
	f.Var(&o.first, "seed", "the first seed")
	f.Var(&o.seeds, "seeds", "how many seeds (default: as many as the time allows)")
	f.Var(&o.shard, "shard", "run every N-th seed from seed+I on: one process of N; --seeds counts the seeds of one shard")
	f.Var(&o.time, "for", "stop after this time (with --seeds or --until: no limit unless given)")
	f.Var(&o.workers, "workers", "worlds at once; what is found, and the digest, do not depend on it")
	f.Var(o.model, "model", "the model whose KV is watched; both: hash, and every 64th seed on the transformer besides")
	f.Var(o.profile, "profile", "what is drawn")
	f.StringVar(&o.out, "out", "",
		"`DIR` for summary.json, the seeds and the scripts of failing ones; made if absent, begun anew without --resume")
	f.BoolVar(&o.resume, "resume", false, "go on behind the last completed seed of --out; --seeds counts those before, too")
	f.BoolVar(&o.json, "json", false, "print one JSON object a line, the summary last")
	f.BoolVar(&o.cover, "coverage", false,
		"show what struck a request in which state, where its last operation stood, and the marks")
	f.Var(o.until, "until", "stop at the first seed that breaks a promise, or when everything that can be exercised has been")
	o.workload.register(f)
}

func newUntil() *choice { return newChoice("", campaign.UntilViolation, campaign.UntilCovered) }

func profileDoc() string {
	text := "Profiles:"
	for _, p := range gen.Profiles {
		text += fmt.Sprintf("\n  %-9s %s", p.Name, p.Doc)
	}
	return text
}

// check refuses options that contradict each other.
func (o *runOptions) check() error {
	if o.resume && o.out == "" {
		return exit.Usagef("--resume goes on in a directory: --out DIR is missing")
	}
	if _, ok := o.shard.Seed(o.first.value, 0); !ok {
		return exit.Usagef("--shard %s has no seed from %d: the last seed is %d", &o.shard, o.first.value, uint64(math.MaxUint64))
	}
	if _, ok := o.shard.Seed(o.first.value, o.seeds.value-1); o.seeds.set && !ok {
		return exit.Usagef("--seeds %d is too many from seed %d%s: the last seed is %d",
			o.seeds.value, o.first.value, o.shard.Words(), uint64(math.MaxUint64))
	}
	return nil
}

// limited tells whether the time limit counts.
func (o *runOptions) limited() bool { return o.time.set || !o.seeds.set && o.until.value == "" }

// campaign is what is run over seeds.
func (o *runOptions) campaign() campaign.Options {
	to := campaign.Options{
		First: o.first.value, Seeds: o.seeds.value, Shard: o.shard, Workers: int(o.workers.value),
		Model: o.model.value, Profile: profileNamed(o.profile), Until: o.until.value,
		Out: o.out, Resume: o.resume, JSON: o.json, Cover: o.cover,
	}
	if o.limited() {
		to.Time = o.time.value
	}
	return to
}
