package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"custody/invariants"
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
			src, err := c.load(args[0], profile, cmd.Flags().Changed("profile"))
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

const kvMirrorDoc = `Kv-mirror follows a KV event stream, as a router outside would, and says what it holds at the end. FILE is what
kv-events prints; - is standard input.

The exit code is 1 if an event does not fit what the events before it have told, 2 if one is missing or cannot be read.`

func newKVMirror(c *console) *cobra.Command {
	return &cobra.Command{
		Use: "kv-mirror FILE", Short: "Follow a KV event stream and say what it leaves", Long: kvMirrorDoc,
		Example: "  custody kv-mirror events.jsonl",
		Args:    exactly(1, "one: a file of KV events"),
		RunE: func(_ *cobra.Command, args []string) error {
			text, err := c.read(args[0])
			if err != nil {
				return err
			}
			return kvMirror(c, args[0], text)
		},
	}
}

// kvMirror brings the events of a file to a consumer.
func kvMirror(c *console, name, text string) error {
	seq, to := int64(0), invariants.NewConsumer(int32(strings.Count(text, "\n")+1))
	lines := bufio.NewScanner(strings.NewReader(text))
	lines.Buffer(nil, len(text)+1)
	for n := 1; lines.Scan(); n++ {
		e := sim.KVEvent{}
		err := json.Unmarshal(lines.Bytes(), &e)
		if err == nil && e.Seq != seq+1 {
			err = fmt.Errorf("kv event %d follows event %d: what is between them is lost, and with it what the cache holds", e.Seq, seq)
		}
		if err == nil {
			err = e.Apply(to)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", name, n, err)
		}
		seq = e.Seq
		if to.Err() != nil {
			fmt.Fprintf(c.out, "%s:%d: %v\n", name, n, to.Err())
			return errBroken
		}
	}
	fmt.Fprintf(c.out, "after %s the cache holds %s\n", plural(seq, "event"), plural(int64(to.Len()), "block"))
	return lines.Err()
}
