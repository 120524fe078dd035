package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"custody/cmd/custody/internal/exit"
	"custody/cmd/custody/internal/source"
	"custody/cmd/custody/internal/term"
	"custody/sim/cross"
)

const crossDoc = `Cross runs one script under every combination of policies: publication, release, free order, chunk, rows, prefix
cache, depth. No promise is asked: policies decide when and where things are computed, never what comes out, so every
client must see the same tokens. Where a request is refused or cut short elsewhere, what both runs have given must agree.

The exit code is 1 if a client saw something else. Ctrl-C ends after the present run and says how far it came.`

func newCross(c *term.Console) *cobra.Command {
	profile := newProfile()
	cmd := &cobra.Command{
		Use: "cross FILE|SEED", Short: "Run one script under every policy: clients must see the same tokens", Long: crossDoc,
		Example: "  custody cross sim/testdata/lost-pass.trace\n  custody cross 7",
		Args:    exactly(1, "one: a file or a seed"),
		RunE: func(cmd *cobra.Command, args []string) error {
			src, err := source.Load(c, args[0], profileNamed(profile), cmd.Flags().Changed("profile"))
			if err != nil {
				return err
			}
			return crossScript(c, src)
		},
	}
	cmd.Flags().Var(profile, "profile", "what a seed draws")
	return cmd
}

func crossScript(c *term.Console, src *source.Source) error {
	stop := term.OnInterrupt(c)
	defer stop.Stop()
	all := cross.Combinations()
	bar := c.NewProgress("custody cross", int64(all))
	runs, d := cross.Run(src.Script, func(runs int) bool {
		bar.Show(int64(runs), func() string { return fmt.Sprintf("%d of %d combinations", runs, all) })
		return !stop.Asked.Load()
	})
	bar.Done()
	switch {
	case d != nil:
		paint := term.NewPainter(src.Script).Through(src.Script.Events)
		fmt.Fprintln(c.Out, paint.Line(d.String()))
		return exit.ErrBroken
	case runs < all:
		fmt.Fprintf(c.Out, "interrupted: %s: every client saw the same tokens under %d of %s\n", src.Name, runs,
			term.Plural(int64(all), "combination"))
	default:
		fmt.Fprintf(c.Out, "%s: every client saw the same tokens under %s\n", src.Name, term.Plural(int64(runs), "combination"))
	}
	return nil
}
