package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"custody/traces"
)

const compareDoc = `Compare finds the first step in which two runs part. A file that holds what happened (a trace) is taken at its word;
a script, or a seed, is executed.

The exit code is 1 if they differ.`

func newCompare(c *console) *cobra.Command {
	profile := newProfile()
	cmd := &cobra.Command{
		Use: "compare A B", Short: "Find the first step in which two runs part", Long: compareDoc,
		Example: "  custody compare before.trace after.trace\n  custody compare broken.trace passing.trace",
		Args:    exactly(2, "two, each a file or a seed"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return compare(c, args, func(arg string) (*source, error) {
				return load(c, arg, profileNamed(profile), cmd.Flags().Changed("profile") && !isNumber(arg))
			})
		},
	}
	cmd.Flags().Var(profile, "profile", "what the seeds draw")
	return cmd
}

func compare(c *console, args []string, load func(string) (*source, error)) error {
	var sides [2]*traces.Trace
	for i, arg := range args {
		src, err := load(arg)
		if err != nil {
			return err
		}
		sides[i] = src.happened()
		fmt.Fprintf(c.out, "%c: %s, %s\n", 'a'+i, src.name, plural(int64(src.script.Size()), "line"))
	}
	d, differ := traces.FirstDifference(sides[0], sides[1])
	if !differ {
		fmt.Fprintln(c.out, "no step differs")
		return nil
	}
	paint := newPainter(sides[0].Script).through(sides[0].Script.Events)
	fmt.Fprintln(c.out, paint.line(d.String()))
	return errBroken
}
