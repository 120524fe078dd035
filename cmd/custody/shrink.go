package main

import (
	"go/token"
	"math"

	"github.com/spf13/cobra"

	"custody/cmd/custody/internal/exit"
	"custody/cmd/custody/internal/minimal"
	"custody/cmd/custody/internal/source"
	"custody/cmd/custody/internal/term"
)

// shrinkOptions are the flags of `custody shrink`.
type shrinkOptions struct {
	profile *choice
	model   *choice
	promise *choice // which breach; "" is the first
	budget  whole   // executions
	out     string  // "" is min-PROMISE-BASE.trace here
	pkg     string  // package of the Go test
	force   bool    // write over files that are there
}

const shrinkDoc = `Shrink finds the smallest script that still fails in the same way. It writes two files: the script, which
expects the breach, and a Go test beside it, which expects that every promise is kept: it fails until the defect is mended.

The exit code is 0 if a script was found and written, and 2 if there was nothing to shrink.
Ctrl-C ends with the smallest script so far.`

func newShrink(c *term.Console) *cobra.Command {
	o := shrinkOptions{profile: newProfile(), model: newModel(), promise: newPromise(), budget: whole{value: 5000, least: 1}}
	cmd := &cobra.Command{
		Use: "shrink FILE|SEED", Short: "Find the smallest script that fails in the same way", Long: shrinkDoc,
		Example: "  custody shrink 7 --profile swarm\n  custody shrink incident.trace --promise tenant --out testdata/incident.trace",
		Args:    exactly(1, "one: a file, a seed, or - for standard input"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !token.IsIdentifier(o.pkg) {
				return exit.Usagef("--package %q is no Go package name", o.pkg)
			}
			src, err := source.Load(c, args[0], profileNamed(o.profile), cmd.Flags().Changed("profile"))
			if err != nil {
				return err
			}
			if src.Model, err = source.ModelNamed(o.model.value); err != nil {
				return err
			}
			return minimal.Shrink(c, src, o.minimal())
		},
	}
	f := cmd.Flags()
	f.Var(o.profile, "profile", "what the seed draws")
	f.Var(o.model, "model", "the model on which the scripts run")
	f.Var(o.promise, "promise", "the broken promise to keep, as in custody promises (default: the one that breaks first)")
	f.Var(&o.budget, "budget", "executions to spend at the most")
	f.StringVar(&o.out, "out", "",
		"`FILE` for the minimal script (default: min-PROMISE-SEED.trace in this directory, with a number if that is there)")
	f.BoolVarP(&o.force, "force", "f", false,
		"write over files that are there (without --out: over those of the name without a number)")
	f.StringVar(&o.pkg, "package", "custody_test", "package `NAME` of the Go test")
	return cmd
}

// minimal is what is kept and where it goes.
func (o *shrinkOptions) minimal() minimal.Options {
	return minimal.Options{
		Promise: o.promise.value, Budget: int(min(o.budget.value, math.MaxInt32)), Out: o.out, Package: o.pkg, Force: o.force,
	}
}
