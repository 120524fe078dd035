package main

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"custody/sim/museum"
)

// measureOptions are the flags of measure.
type measureOptions struct {
	root, only, write string
	seeds, workers    int
	plants            map[string][]museum.Edit // of the whole museum: one build serves every part of it
}

const measureDoc = `Runs a campaign over every exhibit of the museum and prints how many seeds it takes to find it. Then it runs
the controls, which nothing may break, with their canaries.`

func newMeasure(c *console) *cobra.Command {
	o := measureOptions{}
	cmd := &cobra.Command{
		Use: "measure", Short: "How many seeds it takes to find each defect", Long: measureDoc,
		Example: "  custody-museum measure --only d07 --seeds 2000     # the exhibits and controls with d07 in their names\n" +
			"  custody-museum measure --write docs/museum.md      # the tables of that page anew",
		Args: arguments(0, "no arguments"),
		RunE: func(*cobra.Command, []string) error { return o.run(c) },
	}
	rootFlag(cmd, &o.root)
	f := cmd.Flags()
	f.IntVar(&o.seeds, "seeds", 20_000, "seeds of each campaign")
	f.StringVar(&o.only, "only", "", "only exhibits and controls with this in their names")
	f.StringVar(&o.write, "write", "", "a page whose tables are written anew")
	f.IntVar(&o.workers, "workers", runtime.NumCPU(), "engines run at once")
	return cmd
}

func (o *measureOptions) run(c *console) error {
	if err := o.check(); err != nil {
		return err
	}
	m, err := o.load()
	if err != nil {
		return err
	}
	if err := o.measure(m, c); err != nil {
		return err
	}
	if o.write != "" {
		if err := m.Write(o.write); err != nil {
			return err
		}
	}
	if !conclude(m, c.out) {
		return errFailed
	}
	return nil
}

func (o *measureOptions) check() error {
	if o.seeds < 1 || o.workers < 1 {
		return fmt.Errorf("--seeds is %d and --workers is %d, expected at least 1", o.seeds, o.workers)
	}
	if o.write != "" && o.only != "" {
		return fmt.Errorf("--write is about the whole museum: leave out --only")
	}
	return nil
}

// load reads the museum, or the part of it that is asked for.
func (o *measureOptions) load() (*museum.Museum, error) {
	m, err := museum.Open(o.root)
	if err != nil {
		return nil, fmt.Errorf("is %s the module's root? %w", o.root, err)
	}
	m.Seeds, o.plants = o.seeds, m.Plants()
	m.Exhibits = slices.DeleteFunc(m.Exhibits, func(x *museum.Exhibit) bool { return !strings.Contains(x.ID, o.only) })
	m.Controls = slices.DeleteFunc(m.Controls, func(c *museum.Control) bool { return !strings.Contains(c.ID, o.only) })
	if len(m.Exhibits)+len(m.Controls) == 0 {
		return nil, fmt.Errorf("--only %s: nothing in the museum has that in its name", o.only)
	}
	return m, nil
}

// conclude prints what all campaigns come to.
func conclude(m *museum.Museum, out io.Writer) bool {
	ok := true
	if len(m.Kills) > 0 {
		t := museum.Total(m.Kills)
		fmt.Fprintf(out, "\n%d exhibits: found after %d seeds in the median (asked: %d), %d at the most (asked: %d); ",
			len(m.Kills), t.Median, museum.MostMedian, t.MaxMedian, museum.MostSeeds)
		fmt.Fprintf(out, "95th percentile at most %d\n", t.MaxP95)
		if len(t.Few) > 0 {
			fmt.Fprintf(out, "fewer than %d detecting seeds, so that the 95th percentile means little: %s\n",
				museum.FewGaps, strings.Join(t.Few, ", "))
		}
		if len(t.Late) > 0 {
			fmt.Fprintf(out, "95th percentile above %d: %s\n", museum.MostSeeds, strings.Join(t.Late, ", "))
		}
		if len(t.Slow) > 0 {
			fmt.Fprintf(out, "too slow to find: %s\n", strings.Join(t.Slow, ", "))
		}
		ok = t.OK()
	}
	for _, s := range m.Silences {
		ok = ok && s.OK()
	}
	return ok
}
