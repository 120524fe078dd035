package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"custody/cmd/custody/internal/exit"
	"custody/cmd/custody/internal/narrative"
	"custody/cmd/custody/internal/source"
	"custody/cmd/custody/internal/term"
	"custody/cmd/custody/internal/view"
	"custody/cmd/internal/files"
	"custody/sim"
)

// replayOptions are the flags of `custody replay`.
type replayOptions struct {
	profile *choice
	model   *choice
	weights string // file of a transformer of one's own; "" is none
	from    whole
	to      whole
	only    string // a request's name; "" is all
	trace   string // file for the full trace; "" is none
	at      whole  // the step to show, if set
	view    bool
}

const replayDoc = `Replay executes a script once and says step by step what happens: the lines of the script, and under each
one, after >, the steps that it led to. A broken promise is told first, and once more, with all others, at the end.

With --at N it shows the world after step N: what every block, request and row holds. With --view it does so on the
terminal, where keys step forwards and backwards, follow a request, a tenant or a block, and jump to a breach.

The argument is a file (a script or a trace), a seed, or - for standard input. A number is a seed unless a file has that name.`

func newReplay(c *term.Console) *cobra.Command {
	o := replayOptions{profile: newProfile(), model: newModel(), from: whole{least: 1, value: 1},
		to: whole{least: 1, value: math.MaxInt64}}
	cmd := &cobra.Command{
		Use: "replay FILE|SEED", Short: "Tell step by step what happens in a script", Long: replayDoc,
		Example: "  custody replay 7 --from 20 --to 40\n  custody replay min-tenant-7.trace --only r2\n" +
			"  custody replay 7 --at 17\n  custody replay 7 --view",
		Args: exactly(1, "one: a file, a seed, or - for standard input"),
		RunE: func(cmd *cobra.Command, args []string) error {
			src, err := source.Load(c, args[0], profileNamed(o.profile), cmd.Flags().Changed("profile"))
			if err != nil {
				return err
			}
			if err := o.check(src); err != nil {
				return err
			}
			if src.Model, err = o.chosen(); err != nil {
				return err
			}
			switch {
			case o.view:
				return view.Run(c, src, o.at.value, o.only)
			case o.at.set:
				return view.At(c, src, o.at.value, o.only)
			}
			return narrative.Replay(c, src, o.told())
		},
	}
	o.register(cmd.Flags())
	return cmd
}

func (o *replayOptions) register(f *pflag.FlagSet) {
	f.Var(o.profile, "profile", "what the seed draws")
	f.Var(o.model, "model", "the model on which the script runs")
	f.StringVar(&o.weights, "weights", "",
		"run it on a transformer with the weights of `FILE`, safetensors or llama2.c's .bin; its tokens are shown as numbers")
	f.Var(&o.from, "from", "the first step to tell")
	f.Var(&o.to, "to", "the last step to tell (default: the last one)")
	f.Lookup("to").DefValue = "0"
	f.StringVar(&o.only, "only", "", "tell only the lines that mention the request `NAME`")
	f.StringVar(&o.trace, "trace", "", "write the full trace, with its digest, to `FILE`")
	f.Var(&o.at, "at", "show what every block, request and row holds after step N instead")
	f.Lookup("at").DefValue = ""
	f.BoolVar(&o.view, "view", false, "step forwards and backwards through it on the terminal (with --at: from that step)")
}

// chosen is the model on which the script runs.
func (o *replayOptions) chosen() (*sim.WorkerModel, error) {
	if o.weights != "" {
		return source.LoadModel(o.weights)
	}
	return source.ModelNamed(o.model.value)
}

// check says which options do not go together, or do not fit the source.
func (o *replayOptions) check(src *source.Source) error {
	if o.from.value > o.to.value {
		return exit.Usagef("--from %d is after --to %d", o.from.value, o.to.value)
	}
	if (o.at.set || o.view) && (o.from.set || o.to.set || o.trace != "") {
		return exit.Usagef("--at and --view show single steps: --from, --to and --trace are for the run told in words")
	}
	if (o.at.set || o.view) && (o.model.value != source.HashModel || o.weights != "") {
		return exit.Usagef("--at and --view show the hash model: --model and --weights are for the run told in words")
	}
	if o.trace != "" && files.Same(o.trace, src.Arg) {
		return exit.Usagef("--trace %s is the file to replay: choose another name", o.trace)
	}
	if o.only == "" {
		return nil
	}
	names := source.RequestsOf(src.Script)
	for _, n := range names {
		if n == o.only {
			return nil
		}
	}
	return fmt.Errorf("%s has no request %q (it has: %s)", src.Name, o.only, strings.Join(names, ", "))
}

// told is which part of the run is told.
func (o *replayOptions) told() narrative.Options {
	part := narrative.Options{To: o.to.value, Only: o.only, Trace: o.trace}
	if o.from.set {
		part.From = o.from.value
	}
	return part
}
