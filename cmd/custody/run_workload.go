package main

import (
	"github.com/spf13/pflag"

	"custody/cmd/custody/internal/campaign"
	"custody/cmd/custody/internal/exit"
	"custody/cmd/custody/internal/source"
	"custody/cmd/custody/internal/term"
	"custody/sim/workload"
)

// workloadFlags are the flags of `custody run --workload`.
type workloadFlags struct {
	file    string // "" is none
	divisor whole
	ticks   whole
	tenants whole
	faults  whole
	limit   whole
	skipBad bool
	script  string // file for the script that the recording became; "" is none
}

func newWorkloadFlags() workloadFlags {
	d := workload.Defaults()
	return workloadFlags{
		divisor: whole{value: uint64(d.Divisor), least: 1, most: 256}, ticks: whole{value: uint64(d.Ticks), least: 1, most: 1 << 20},
		tenants: whole{value: uint64(d.Tenants), least: 1, most: 64}, faults: whole{value: uint64(d.Faults), most: 100},
		limit: whole{most: 1 << 24},
	}
}

// workloadFlag turns a campaign over seeds into the run of a recording. The others make sense with it only, or without it
// only.
const workloadFlag = "workload"

var (
	ofWorkloads = []string{"divisor", "ticks", "tenants", "faults", "limit", "skip-bad", "script"}
	ofCampaigns = []string{"seeds", "shard", "for", "workers", "profile", "out", "resume", "coverage", "until"}
)

// oneKind refuses flags that would be passed over.
func oneKind(f *pflag.FlagSet) error {
	is := f.Changed(workloadFlag)
	for _, name := range ofWorkloads {
		if !is && f.Changed(name) {
			return exit.Usagef("--%s is for recordings: --workload FILE is missing", name)
		}
	}
	for _, name := range ofCampaigns {
		if is && f.Changed(name) {
			return exit.Usagef("--%s is for seeds, and --workload runs one recording: leave one of them out", name)
		}
	}
	if m := f.Lookup("model"); is && m.Changed && m.Value.String() == source.BothModels {
		return exit.Usagef("--workload runs on one model: --model %s or --model %s", source.HashModel, source.TransformerModel)
	}
	return nil
}

func (o *workloadFlags) register(f *pflag.FlagSet) {
	f.StringVar(&o.file, workloadFlag, "",
		"run the requests of `FILE`, a recording in Mooncake's format, instead of seeds; --seed is that of the faults")
	f.Var(&o.divisor, "divisor", "of a workload's lengths and times")
	f.Var(&o.ticks, "ticks", "of virtual time to a millisecond of a workload, before it is divided")
	f.Var(&o.tenants, "tenants", "of a workload: requests that begin with the same two hash ids have the same one")
	f.Var(&o.faults, "faults", "of a hundred requests of a workload, how many something happens to")
	f.Var(&o.limit, "limit", "run only the first so many requests of a workload; 0 is all")
	f.BoolVar(&o.skipBad, "skip-bad", false, "count and leave out rows of a workload that cannot be read")
	f.StringVar(&o.script, "script", "",
		"write the script that a workload becomes to `FILE`: what breaks a promise in it can be replayed and shrunk")
}

// options turns flags into what the package wants.
func (o *workloadFlags) options(seed uint64) workload.Options {
	return workload.Options{
		Divisor: int(o.divisor.value), Ticks: int(o.ticks.value), Tenants: int(o.tenants.value), Faults: int(o.faults.value),
		Limit: int(o.limit.value), Seed: seed, SkipBad: o.skipBad, Vocab: workload.Defaults().Vocab,
	}
}

// run runs the recording.
func (o *workloadFlags) run(c *term.Console, all *runOptions) error {
	return campaign.RunRecording(c, campaign.Recording{
		File: o.file, Options: o.options(all.first.value), Model: all.model.value, JSON: all.json, Script: o.script,
	})
}
