package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"custody/cmd/custody/internal/exit"
	"custody/cmd/custody/internal/source"
	"custody/cmd/custody/internal/term"
	"custody/traces"
)

const compareDoc = `Compare finds the first step in which two runs part. A file that holds what happened (a trace) is taken at its
word; a script, or a seed, is executed.

The exit code is 1 if they differ.`

func newCompare(c *term.Console) *cobra.Command {
	profile := newProfile()
	cmd := &cobra.Command{
		Use: "compare A B", Short: "Find the first step in which two runs part", Long: compareDoc,
		Example: "  custody compare before.trace after.trace\n  custody compare broken.trace passing.trace",
		Args:    exactly(2, "two, each a file or a seed"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return compare(c, args, func(arg string) (*source.Source, error) {
				return source.Load(c, arg, profileNamed(profile), cmd.Flags().Changed("profile") && !source.IsNumber(arg))
			})
		},
	}
	cmd.Flags().Var(profile, "profile", "what the seeds draw")
	return cmd
}

func compare(c *term.Console, args []string, load func(string) (*source.Source, error)) error {
	var sides [2]*traces.Trace
	for i, arg := range args {
		src, err := load(arg)
		if err != nil {
			return err
		}
		if sides[i], err = src.Happened(); err != nil {
			return err
		}
		fmt.Fprintf(c.Out, "%c: %s, %s\n", 'a'+i, src.Name, term.Plural(int64(src.Script.Size()), "line"))
	}
	d, differ := sides[0].FirstDifference(sides[1])
	if !differ {
		fmt.Fprintln(c.Out, "no step differs")
		return nil
	}
	paint := term.NewPainter(sides[0].Script).Through(sides[0].Script.Events)
	fmt.Fprintln(c.Out, paint.Line(d.String()))
	return exit.ErrBroken
}
