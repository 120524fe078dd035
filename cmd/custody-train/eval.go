package main

import (
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"custody/model/llama"
	"custody/model/recall"
	"custody/model/safetensors"
	"custody/model/train"
	"custody/model/train/corpus"
)

// evalOptions are the flags of eval.
type evalOptions struct {
	weights string
	prompts int
	seed    uint64
}

const evalDoc = `Asks the transformer questions about texts that hold the answer, and counts whole answers that are right to the
last character. Markers are of a class that is held out from training. An answer counts as right where greedy
decoding writes it.`

func newEval(c *console) *cobra.Command {
	var o evalOptions
	cmd := &cobra.Command{
		Use: "eval", Short: "Examine weights", Long: evalDoc, Args: noArguments,
		RunE: func(*cobra.Command, []string) error { return o.run(c) },
	}
	f := cmd.Flags()
	f.StringVar(&o.weights, "weights", "", "a safetensors file of this command (default: the weights that are shipped)")
	f.IntVar(&o.prompts, "prompts", 2000, "of each kind")
	f.Uint64Var(&o.seed, "seed", judgement, "of the prompts")
	return cmd
}

func (o *evalOptions) run(c *console) error {
	if o.prompts < 1 || o.prompts > 1_000_000 {
		return fmt.Errorf("--prompts is %d, expected 1 to 1000000", o.prompts)
	}
	w, err := readWeights(o.weights)
	if err != nil {
		return err
	}
	return show(c, o.grades(w))
}

func readWeights(name string) (*llama.Weights, error) {
	if name == "" {
		return recall.Weights()
	}
	file, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("reading the weights: %w", err)
	}
	f, err := safetensors.Decode(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	w, err := f.Weights()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return w, nil
}

// grades examines all subjects, on as many threads as there are cores. Each takes the next subject.
func (o *evalOptions) grades(w *llama.Weights) []train.Grade {
	grades := make([]train.Grade, len(corpus.Subjects))
	inParallel(len(grades), func(next <-chan int) {
		examiner := train.NewExaminer(w)
		for i := range next {
			grades[i] = examiner.Grade(corpus.Subjects[i].Exam(o.seed, o.prompts))
		}
	})
	return grades
}

// show prints the table, and below it what was not reached.
func show(c *console, grades []train.Grade) error {
	table := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(table, "right, %\tasked\tall\t")
	for i := range train.Buckets {
		fmt.Fprintf(table, "%d-%d\t", i*train.Bucket, (i+1)*train.Bucket-1)
	}
	fmt.Fprintln(table)
	var missed []string
	for i := range grades {
		row(table, &corpus.Subjects[i], &grades[i])
		missed = append(missed, grades[i].Missed(&corpus.Subjects[i])...)
	}
	table.Flush()
	if len(missed) > 0 {
		fmt.Fprintln(c.out, strings.Join(missed, "\n"))
		return errFailed
	}
	fmt.Fprintln(c.out, "every kind reaches what is asked of it")
	return nil
}

func row(table *tabwriter.Writer, s *corpus.Subject, g *train.Grade) {
	asked, right := g.All()
	fmt.Fprintf(table, "%s\t%d\t%.2f\t", s.Name, asked, percent(right, asked))
	for i := range g.Asked {
		if g.Asked[i] == 0 {
			fmt.Fprint(table, "-\t")
			continue
		}
		fmt.Fprintf(table, "%.2f\t", percent(g.Right[i], g.Asked[i]))
	}
	fmt.Fprintln(table)
}

func percent(part, whole int) float64 { return 100 * float64(part) / float64(whole) }
