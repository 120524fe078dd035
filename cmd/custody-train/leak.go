package main

import (
	"fmt"
	"sync"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"custody/model/llama"
	"custody/model/train/corpus"
	"custody/model/train/leak"
)

// leakOptions are the flags of leak.
type leakOptions struct {
	weights string
	pairs   int
	seed    uint64
}

const leakDoc = `Measures how often another tenant's marker can be read in an answer. Tenant A is computed first; then some of B's
blocks before its question are replaced by A's, and B is answered.

  skip-all   all of them were taken for computed: the incident
  skip-some  a random number of leading ones; B is computed over them
  swap-...   one, half or all of them, replaced after B was computed

asked: B asks for its own marker, or for a fact of its own notes. shown: A's whole marker stands in B's answer; covered:
of the trials in which A's marker lies within the leading blocks that B reads of A. changed: the answer is another one.
logits: of the trials in which a block of A's differs from B's, the numbers behind the first character are other ones.
right: B's answer without the fault is right.`

func newLeak(c *console) *cobra.Command {
	var o leakOptions
	cmd := &cobra.Command{
		Use: "leak", Short: "Measure how often a leak can be read", Long: leakDoc, Args: noArguments,
		RunE: func(*cobra.Command, []string) error { return o.run(c) },
	}
	f := cmd.Flags()
	f.StringVar(&o.weights, "weights", "", "a safetensors file of this command (default: the weights that are shipped)")
	f.IntVar(&o.pairs, "pairs", 150, "of tenants, for each cell")
	f.Uint64Var(&o.seed, "seed", judgement, "of the pairs")
	return cmd
}

func (o *leakOptions) run(c *console) error {
	if o.pairs < 1 || o.pairs > 1_000_000 {
		return fmt.Errorf("--pairs is %d, expected 1 to 1000000", o.pairs)
	}
	w, err := readWeights(o.weights)
	if err != nil {
		return err
	}
	if _, err := llama.New(w); err != nil {
		return err
	}
	all := cells()
	counts := o.measure(w, all)
	table := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "marker\tasked\tfault\tblock\tshown %\tcovered %\tchanged %\tlogits %\tright %\t")
	for i, cell := range all {
		leakRow(table, cell, counts[i])
	}
	return table.Flush()
}

// cells lists what is measured.
func cells() []leak.Cell {
	var all []leak.Cell
	for style := range corpus.NumStyles {
		for _, fact := range []bool{false, true} {
			for fault := range leak.NumFaults {
				for _, block := range []int32{4, 8, 16} {
					all = append(all, leak.Cell{Style: style, Fact: fact, Fault: fault, BlockTokens: block})
				}
			}
		}
	}
	return all
}

// measure runs the cells, each in one thread.
func (o *leakOptions) measure(w *llama.Weights, all []leak.Cell) []leak.Count {
	counts := make([]leak.Count, len(all))
	inParallel(len(all), func(next <-chan int) {
		t, _ := llama.New(w) // it was made once before
		for i := range next {
			counts[i] = leak.Measure(t, all[i], o.pairs, o.seed)
		}
	})
	return counts
}

// inParallel runs workers that take the numbers up to n from a common queue.
func inParallel(n int, worker func(next <-chan int)) {
	next := make(chan int, n)
	for i := range n {
		next <- i
	}
	close(next)
	var all sync.WaitGroup
	for range cores() {
		all.Go(func() { worker(next) })
	}
	all.Wait()
}

func leakRow(table *tabwriter.Writer, cell leak.Cell, n leak.Count) {
	asked := "marker"
	if cell.Fact {
		asked = "fact"
	}
	fmt.Fprintf(table, "%s\t%s\t%s\t%d\t%.1f\t%s\t%.1f\t%s\t%.1f\t\n", cell.Style, asked, cell.Fault, cell.BlockTokens,
		percent(n.Shown, n.Trials), of(n.Both, n.Covered), percent(n.Changed, n.Trials), of(n.Logits, n.Foreign),
		percent(n.Right, n.Trials))
}

// of is a share with its base, for bases that differ from line to line.
func of(part, whole int) string {
	if whole == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f of %d", percent(part, whole), whole)
}
