// Command custody-museum works with the planted defects of sim/museum. It is typed in the module's root:
//
//	measure ──▶ how many seeds it takes to find each, and the tables of docs/museum.md
//	visit   ──▶ a custody with one of them in its engine, to try what a page shows
//	probe   ──▶ what its own engine shows; measure and the museum's tests build it with all defects
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"
)

// The exit codes.
const (
	exitOK     = 0
	exitFailed = 1 // the museum is not as it must be
	exitMisuse = 2 // the command could not do what was asked
)

// errFailed ends a measurement that has told already what is not as the museum asks.
var errFailed = errors.New("not as the museum asks")

// console is where the command writes: results to out, progress and errors to err.
type console struct {
	out, err           io.Writer
	outIsTTY, errIsTTY bool
}

func main() {
	os.Exit(execute(os.Args[1:], &console{
		out: os.Stdout, err: os.Stderr,
		outIsTTY: isatty.IsTerminal(os.Stdout.Fd()), errIsTTY: isatty.IsTerminal(os.Stderr.Fd()),
	}))
}

// execute runs one command line and returns its exit code.
func execute(args []string, c *console) int {
	root := newRoot(c)
	root.SetArgs(args)
	err := root.Execute()
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errFailed):
		return exitFailed
	}
	fmt.Fprintf(c.err, "custody-museum: %v\n", err)
	return exitMisuse
}

const rootDoc = `Works with the planted defects of sim/museum. It is typed in the root of the module.

Exit codes: 0 done, 1 the museum is not as it must be, 2 the command could not do what was asked.`

func newRoot(c *console) *cobra.Command {
	root := &cobra.Command{
		Use: "custody-museum", Short: "Measure, visit and probe planted defects", Long: rootDoc,
		SilenceUsage: true, SilenceErrors: true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("there is no command %q; see --help", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetOut(c.out)
	root.SetErr(c.err)
	root.AddCommand(newMeasure(c), newVisit(c), newProbe(c))
	return root
}

// arguments checks their number in words.
func arguments(n int, what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == n {
			return nil
		}
		return fmt.Errorf("found %d arguments, expected %s; see --help", len(args), what)
	}
}
