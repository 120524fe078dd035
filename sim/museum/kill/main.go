// Kill builds every exhibit of the museum, runs a campaign over each, and prints how many seeds it takes to find it: the
// kill table. Then it runs the controls, which nothing may break, with their canaries. It is typed in the module's root:
//
//	go run ./sim/museum/kill                          all of it, some minutes
//	go run ./sim/museum/kill -only d07 -seeds 2000    the exhibits and controls with d07 in their names
//	go run ./sim/museum/kill -write docs/museum.md    and the tables of that page
//
// Exit codes: 0 all as the museum asks, 1 not so, 2 it could not be done.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"custody/sim/museum"
)

func main() {
	ok, err := run(os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "kill:", err)
		os.Exit(2)
	case !ok:
		os.Exit(1)
	}
}

// options are the command line.
type options struct {
	root, only, write string
	seeds, workers    int
}

func run(args []string, out, progress io.Writer) (ok bool, err error) {
	o, err := parse(args, progress)
	if err != nil {
		return false, err
	}
	m, err := o.load()
	if err != nil {
		return false, err
	}
	if err := o.measure(m, out, progress); err != nil {
		return false, err
	}
	if o.write != "" {
		if err := rewrite(o.write, m.Tables()); err != nil {
			return false, err
		}
	}
	return conclude(m, out), nil
}

func parse(args []string, help io.Writer) (*options, error) {
	o := &options{}
	flags := flag.NewFlagSet("kill", flag.ContinueOnError)
	flags.SetOutput(help)
	flags.StringVar(&o.root, "root", ".", "the module's root")
	flags.IntVar(&o.seeds, "seeds", 20_000, "seeds of each campaign")
	flags.StringVar(&o.only, "only", "", "only exhibits and controls with this in their names")
	flags.StringVar(&o.write, "write", "", "a page whose tables are written anew")
	flags.IntVar(&o.workers, "workers", runtime.NumCPU(), "engines built and run at once")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	switch {
	case flags.NArg() > 0:
		return nil, fmt.Errorf("found %q, expected flags only", flags.Arg(0))
	case o.seeds < 1 || o.workers < 1:
		return nil, fmt.Errorf("-seeds is %d and -workers is %d, expected at least 1", o.seeds, o.workers)
	case o.write != "" && o.only != "":
		return nil, fmt.Errorf("-write is about the whole museum: leave out -only")
	}
	return o, nil
}

// load reads the museum, or the part of it that is asked for.
func (o *options) load() (*museum.Museum, error) {
	dir := filepath.Join(o.root, "sim", "museum")
	exhibits, err := museum.Load(filepath.Join(dir, "exhibits"))
	if err != nil {
		return nil, fmt.Errorf("%w (is %s the module's root? see -root)", err, o.root)
	}
	controls, err := museum.LoadControls(filepath.Join(dir, "controls"))
	if err != nil {
		return nil, err
	}
	m := &museum.Museum{Seeds: o.seeds}
	for _, x := range exhibits {
		if strings.Contains(x.ID, o.only) {
			m.Exhibits = append(m.Exhibits, x)
		}
	}
	for _, c := range controls {
		if strings.Contains(c.ID, o.only) {
			m.Controls = append(m.Controls, c)
		}
	}
	if len(m.Exhibits)+len(m.Controls) == 0 {
		return nil, fmt.Errorf("-only %s: nothing in the museum has that in its name", o.only)
	}
	return m, nil
}

// conclude prints what all campaigns come to.
func conclude(m *museum.Museum, out io.Writer) bool {
	ok := true
	if len(m.Kills) > 0 {
		t := museum.Total(m.Kills)
		fmt.Fprintf(out, "\n%d exhibits: found after %d seeds in the median (asked: %d), %d at the most (asked: %d); 95th percentile at most %d\n",
			len(m.Kills), t.Median, museum.MostMedian, t.MaxMedian, museum.MostSeeds, t.MaxP95)
		if len(t.Few) > 0 {
			fmt.Fprintf(out, "fewer than %d detecting seeds, so that the 95th percentile means little: %s\n", museum.FewGaps, strings.Join(t.Few, ", "))
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

// rewrite puts the tables between their marks in a page.
func rewrite(page, tables string) error {
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(text), museum.TablesBegin)
	_, after, ok2 := strings.Cut(rest, museum.TablesEnd)
	if !ok || !ok2 {
		return fmt.Errorf("%s: the marks between which the tables stand are missing: %s%s", page, museum.TablesBegin, museum.TablesEnd)
	}
	return os.WriteFile(page, []byte(before+museum.TablesBegin+tables+museum.TablesEnd+after), 0o644)
}
