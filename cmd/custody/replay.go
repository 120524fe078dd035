package main

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"custody/cmd/internal/files"
	"custody/sim"
	"custody/traces"
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

func newReplay(c *console) *cobra.Command {
	o := replayOptions{profile: newProfile(), model: newModel(), from: whole{least: 1, value: 1}, to: whole{least: 1, value: math.MaxInt64}}
	cmd := &cobra.Command{
		Use: "replay FILE|SEED", Short: "Tell step by step what happens in a script", Long: replayDoc,
		Example: "  custody replay 7 --from 20 --to 40\n  custody replay min-tenant-7.trace --only r2\n  custody replay 7 --at 17\n  custody replay 7 --view",
		Args:    exactly(1, "one: a file, a seed, or - for standard input"),
		RunE: func(cmd *cobra.Command, args []string) error {
			src, err := c.load(args[0], o.profile, cmd.Flags().Changed("profile"))
			if err != nil {
				return err
			}
			if err := o.check(src); err != nil {
				return err
			}
			if src.model, err = o.chosen(); err != nil {
				return err
			}
			switch {
			case o.view:
				return replayView(c, src, &o)
			case o.at.set:
				return replayAt(c, src, &o)
			}
			return replay(c, src, &o)
		},
	}
	f := cmd.Flags()
	f.Var(o.profile, "profile", "what the seed draws")
	f.Var(o.model, "model", "the model on which the script runs")
	f.StringVar(&o.weights, "weights", "", "run it on a transformer with the weights of `FILE`, safetensors or llama2.c's .bin; its tokens are shown as numbers")
	f.Var(&o.from, "from", "the first step to tell")
	f.Var(&o.to, "to", "the last step to tell (default: the last one)")
	f.Lookup("to").DefValue = "0"
	f.StringVar(&o.only, "only", "", "tell only the lines that mention the request `NAME`")
	f.StringVar(&o.trace, "trace", "", "write the full trace, with its digest, to `FILE`")
	f.Var(&o.at, "at", "show what every block, request and row holds after step N instead")
	f.Lookup("at").DefValue = ""
	f.BoolVar(&o.view, "view", false, "step forwards and backwards through it on the terminal (with --at: from that step)")
	return cmd
}

// chosen is the model on which the script runs.
func (o *replayOptions) chosen() (*sim.Model, error) {
	if o.weights != "" {
		return loadModel(o.weights)
	}
	return modelNamed(o.model)
}

// check says which options do not go together, or do not fit the source.
func (o *replayOptions) check(src *source) error {
	if o.from.value > o.to.value {
		return usagef("--from %d is after --to %d", o.from.value, o.to.value)
	}
	if (o.at.set || o.view) && (o.from.set || o.to.set || o.trace != "") {
		return usagef("--at and --view show single steps: --from, --to and --trace are for the run told in words")
	}
	if (o.at.set || o.view) && (o.model.value != hashModel || o.weights != "") {
		return usagef("--at and --view show the hash model: --model and --weights are for the run told in words")
	}
	if o.trace != "" && files.Same(o.trace, src.arg) {
		return usagef("--trace %s is the file to replay: choose another name", o.trace)
	}
	if o.only == "" {
		return nil
	}
	names := requestsOf(src.script)
	for _, n := range names {
		if n == o.only {
			return nil
		}
	}
	return fmt.Errorf("%s has no request %q (it has: %s)", src.name, o.only, strings.Join(names, ", "))
}

// requestsOf lists the names that a script's events name, in order.
func requestsOf(s *traces.Script) []string {
	var names []string
	seen := map[string]bool{"": true}
	for i := range s.Events {
		if n := s.Events[i].Name; !seen[n] {
			names, seen[n] = append(names, n), true
		}
	}
	return names
}

func replay(c *console, src *source, o *replayOptions) error {
	res := narrate(src.script, src.model)
	trace := res.Trace(src.script)
	var lost error
	if o.trace != "" { // before the words: whoever reads them may close the output
		lost = files.Write(o.trace, []byte(trace.String()))
	}
	c.buffered(func(w io.Writer) {
		p := newPainter(src.script)
		headline(w, src, res)
		(&narrative{w: w, paint: p, options: o}).tell(trace)
		fmt.Fprintln(w)
		ending(w, p, src, res)
		footer(w, src, o, res)
	})
	if lost != nil {
		return fmt.Errorf("the trace could not be written: %w", lost)
	}
	return verdict(src, res)
}

// verdict is what a run's exit code says.
func verdict(src *source, res *sim.Result) error {
	if !res.OK() || !asTold(src, res) {
		return errBroken
	}
	return nil
}

// asTold tells whether the run is what the file says of it, where it says something.
func asTold(src *source, res *sim.Result) bool {
	if src.trace == nil {
		return true
	}
	if src.script.Expect.Set && res.Meets(src.script.Expect) != nil {
		return false
	}
	return src.trace.Digest == "" || src.trace.Digest == res.Digest.String()
}

// headline is the first breach in words.
func headline(w io.Writer, src *source, res *sim.Result) {
	if !res.OK() {
		p := newPainter(src.script).through(src.script.Events[:res.Last[0]+1])
		fmt.Fprintf(w, "%s\n\n", p.line(res.Message(0)))
	}
}

// ending lists every broken promise, and how the run compares with what the file says.
func ending(w io.Writer, p *painter, src *source, res *sim.Result) {
	for i, b := range res.Outcome().Breaches {
		fmt.Fprintf(w, "%s at step %d: %s\n    the promise: %s\n", bold.Sprint("BROKEN "+b.Promise), b.Step, p.line(b.Message), sentence(res.PromiseName(&res.Breaches[i])))
	}
	if res.OK() {
		fmt.Fprintf(w, "every promise was kept: %s, %s checked\n", plural(res.Work.Steps, "step"), plural(res.Work.Reads, "slot read"))
	}
	fmt.Fprintf(w, "digest %s\n", res.Digest)
	if t := src.trace; t != nil && t.Digest != "" && t.Digest != res.Digest.String() {
		fmt.Fprintf(w, "the file says that the digest is %s: it was made by another engine, or another version of this one\n", t.Digest)
	}
	if want := src.script.Expect; want.Set {
		fmt.Fprintln(w, met(want, res))
	}
}

// met says how a result compares with the script's expectation.
func met(want traces.Expect, res *sim.Result) string {
	line := "expect ok"
	if want.Promise != "" {
		line = "expect violates " + want.Promise
		if want.By != "" {
			line += " by " + want.By
		}
	}
	if err := res.Meets(want); err != nil {
		return fmt.Sprintf("not as the file says (%s): %s", line, oneLine(err.Error()))
	}
	return fmt.Sprintf("as the file says (%s)", line)
}

// footer is the command to type next: shrink what fails, or look at what is small already.
func footer(w io.Writer, src *source, o *replayOptions, res *sim.Result) {
	if res.OK() {
		return
	}
	want := src.script.Expect
	shrunk := want.Promise != "" && res.Meets(want) == nil && want.By != ""
	if shrunk && o.only == "" && !src.seed {
		fmt.Fprintf(w, "next: %s --only %s\n", src.command("replay"), want.By)
		return
	}
	fmt.Fprintf(w, "next: %s\n", src.command("shrink"))
}
