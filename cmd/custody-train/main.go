// Command custody-train makes the weights of the small transformer, and examines them.
//
//	run  ──▶ checkpoints ──▶ weights (safetensors) ──▶ model/recall, embedded
//	eval ──▶ how often the answer is right, by kind of question and length of prompt
//	leak ──▶ how often another tenant's words can be read in an answer
//
// It stands beside the simulator: nothing that custody runs is linked with it but the weights that it made.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"
)

// The exit codes.
const (
	exitOK          = 0
	exitFailed      = 1 // the weights do not answer as well as they must
	exitMisuse      = 2 // the command could not do what was asked
	exitInterrupted = 130
)

var (
	errFailed      = errors.New("the exam is not passed")
	errInterrupted = errors.New("interrupted")
)

// console is where the command writes: results to out, progress and errors to err.
type console struct {
	out, err io.Writer
	errIsTTY bool
}

func main() {
	os.Exit(execute(os.Args[1:], &console{os.Stdout, os.Stderr, isatty.IsTerminal(os.Stderr.Fd())}))
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
	case errors.Is(err, errInterrupted):
		return exitInterrupted
	}
	fmt.Fprintf(c.err, "custody-train: %v\n", err)
	return exitMisuse
}

const rootDoc = `Trains the small transformer whose answers show whose data they were made of. The same seed gives the same
weights, bit for bit: on one thread or two, with assembly or without (-tags purego), on any processor.

Exit codes: 0 done, 1 the weights do not pass the exam, 2 the command could not do what was asked, 130 interrupted.`

func newRoot(c *console) *cobra.Command {
	root := &cobra.Command{
		Use: "custody-train", Short: "Train and examine the small transformer", Long: rootDoc,
		SilenceUsage: true, SilenceErrors: true, Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetOut(c.out)
	root.SetErr(c.err)
	root.AddCommand(newRun(c), newEval(c), newLeak(c))
	return root
}

func noArguments(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("found %q, expected no arguments; see --help", args[0])
	}
	return nil
}

// cores is how many of the two shards can be learnt at once.
func cores() int { return min(2, runtime.GOMAXPROCS(0)) }
