package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"custody/sim"
)

const kvEventsDoc = `Kv-events runs a script and prints the engine's KV event stream, one JSON object a line (docs/kvevents.md): what a
router outside would receive to know which content the prefix cache holds.`

func newKVEvents(c *console) *cobra.Command {
	profile := newProfile()
	cmd := &cobra.Command{
		Use: "kv-events FILE|SEED", Short: "Print the KV event stream of a run, as JSON lines", Long: kvEventsDoc,
		Example: "  custody kv-events sim/testdata/shared-prefix.trace\n  custody kv-events 7 | custody kv-mirror -",
		Args:    exactly(1, "one: a file or a seed"),
		RunE: func(cmd *cobra.Command, args []string) error {
			src, err := load(c, args[0], profileNamed(profile), cmd.Flags().Changed("profile"))
			if err != nil {
				return err
			}
			out := json.NewEncoder(c.out)
			res := sim.Execute(src.script, sim.ExecuteOptions{KVEvents: func(e sim.KVEvent) {
				if err == nil {
					err = out.Encode(e)
				}
			}})
			if err == nil && !res.OK() {
				fmt.Fprintf(c.err, "%s breaks a promise\nnext: %s\n", src.name, src.command("replay"))
				return errBroken
			}
			return err
		},
	}
	cmd.Flags().Var(profile, "profile", "what a seed draws")
	return cmd
}
