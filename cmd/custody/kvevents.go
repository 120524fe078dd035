package main

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"custody/cmd/custody/internal/exit"
	"custody/cmd/custody/internal/source"
	"custody/cmd/custody/internal/term"
	"custody/sim"
	"custody/sim/kvevents"
)

const kvEventsDoc = `Kv-events runs a script and prints the engine's KV event stream, one JSON object a line (docs/kvevents.md):
what a router outside would receive to know which content the prefix cache holds.`

func newKVEvents(c *term.Console) *cobra.Command {
	profile := newProfile()
	cmd := &cobra.Command{
		Use: "kv-events FILE|SEED", Short: "Print the KV event stream of a run, as JSON lines", Long: kvEventsDoc,
		Example: "  custody kv-events sim/testdata/shared-prefix.trace\n  custody kv-events 7 | custody kv-mirror -",
		Args:    exactly(1, "one: a file or a seed"),
		RunE: func(cmd *cobra.Command, args []string) error {
			src, err := source.Load(c, args[0], profileNamed(profile), cmd.Flags().Changed("profile"))
			if err != nil {
				return err
			}
			out := json.NewEncoder(c.Out)
			var lost error
			listener := kvevents.Listen(func(e kvevents.Record) {
				if lost == nil {
					lost = out.Encode(e)
				}
			})
			res, err := sim.Execute(src.Script, sim.ExecuteOptions{Watch: []sim.Watcher{listener}})
			if err = cmp.Or(err, lost); err == nil && !res.OK() {
				fmt.Fprintf(c.Err, "%s breaks a promise\nnext: %s\n", src.Name, src.Command("replay"))
				return exit.ErrBroken
			}
			return err
		},
	}
	cmd.Flags().Var(profile, "profile", "what a seed draws")
	return cmd
}
