// Command custody asks of an inference engine: whose data is in this answer?
//
//	custody run ──▶ a seed that breaks a promise ──▶ custody shrink SEED ──▶ a script, a Go test
//	                                │                                          │
//	                                └──────────▶ custody replay SEED|FILE ◀────┘
//
// A seed or a script goes in, words come out. The command decides nothing itself: sim runs, invariants watch, traces
// reads and shrinks. What it must never do is lose a result: what was found is printed even if it cannot be written.
package main

import (
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"

	"custody/cmd/custody/internal/exit"
	"custody/cmd/custody/internal/term"
)

func main() {
	signal.Ignore(syscall.SIGPIPE) // a closed output is an error of writing, and no reason to lose what goes to files
	collectLater()
	os.Exit(execute(os.Args[1:], term.New()))
}

// collectLater lets the heap grow to five times what lives before the collector comes, unless the environment says otherwise.
// Whole worlds are dropped all the time and little lives on: it costs 25 megabytes and saves a third of a campaign's time.
func collectLater() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}

// execute runs one command line and returns its exit code.
func execute(args []string, c *term.Console) int {
	root := newRoot(c)
	root.SetArgs(args)
	cmd, err := root.ExecuteC()
	if lost := c.Lost(); lost != nil {
		err = fmt.Errorf("writing the output: %w", lost)
	}
	code := exit.Code(err)
	if code != exit.Misuse {
		return code
	}
	fmt.Fprintf(c.Err, "custody: %v\n", err)
	if exit.IsUsage(err) {
		fmt.Fprintf(c.Err, "next: %s --help\n", cmd.CommandPath())
	}
	return code
}

const rootDoc = `Custody runs a real scheduler, a real paged KV cache and a model under virtual time, throws faults at them,
and checks after every step that no request reads state that does not belong to it.

Exit codes: 0 all promises kept, 1 a promise broken (compare: a difference), 2 the command could not do what was asked.`

func newRoot(c *term.Console) *cobra.Command {
	root := &cobra.Command{
		Use: "custody", Short: "Whose data is in this answer?", Long: rootDoc,
		SilenceUsage: true, SilenceErrors: true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return exit.Usagef("there is no command %q", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetOut(c.Out)
	root.SetErr(c.Err)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return exit.Usage(err) })
	when := newChoice("auto", "auto", "always", "never")
	root.PersistentFlags().Var(when, "color", "colours, which mean tenants: auto (on a terminal), always, never")
	root.PersistentPreRun = func(*cobra.Command, []string) {
		term.SetColours(c.Colours(when.value))
	}
	root.AddCommand(newRun(c), newReplay(c), newShrink(c), newCompare(c), newCross(c), newReceipt(c), newKVEvents(c), newKVMirror(c),
		newPromises(c), newLifecycle(c), newScript(c))
	return root
}

// exactly checks the number of arguments in words.
func exactly(n int, what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == n {
			return nil
		}
		if n == 0 {
			return exit.Usagef("found %q, expected no arguments", args[0])
		}
		return exit.Usagef("found %d arguments, expected %s", len(args), what)
	}
}
