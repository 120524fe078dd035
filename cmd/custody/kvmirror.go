package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"custody/cmd/custody/internal/exit"
	"custody/cmd/custody/internal/term"
	"custody/invariants"
	"custody/sim/kvevents"
)

const kvMirrorDoc = `Kv-mirror follows a KV event stream, as a router outside would, and says what it holds at the end. FILE is
what kv-events prints; - is standard input.

The exit code is 1 if an event does not fit what the events before it have told, 2 if one is missing or cannot be read.`

func newKVMirror(c *term.Console) *cobra.Command {
	return &cobra.Command{
		Use: "kv-mirror FILE", Short: "Follow a KV event stream and say what it leaves", Long: kvMirrorDoc,
		Example: "  custody kv-mirror events.jsonl",
		Args:    exactly(1, "one: a file of KV events"),
		RunE: func(_ *cobra.Command, args []string) error {
			in, err := c.Open(args[0], "what kv-events prints")
			if err != nil {
				return err
			}
			defer in.Close()
			return kvMirror(c, args[0], in)
		},
	}
}

// longestEvent bounds a line: a block has at most 256 tokens.
const longestEvent = 1 << 16

// firstRoom is for how many blocks there is room at first.
const firstRoom = 1 << 10

// kvMirror brings the events of a file to a consumer, as they come.
func kvMirror(c *term.Console, name string, in io.Reader) error {
	seq, room := int64(0), int32(firstRoom)
	to := invariants.NewConsumer(room)
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, longestEvent)
	n := 1
	for ; lines.Scan(); n++ {
		if to.Len() == int(room) {
			room *= 2
			to = to.Grown(room)
		}
		if err := applyLine(to, lines.Bytes(), seq); err != nil {
			return fmt.Errorf("%s:%d: %w", name, n, err)
		}
		if to.Err() != nil {
			fmt.Fprintf(c.Out, "%s:%d: %v\n", name, n, to.Err())
			return exit.ErrBroken
		}
		seq++
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return fmt.Errorf("%s:%d: the line is longer than %d bytes, expected a KV event", name, n, longestEvent)
	case err != nil:
		return fmt.Errorf("%s:%d: %w", name, n, err)
	}
	fmt.Fprintf(c.Out, "after %s the cache holds %s\n", term.Plural(seq, "event"), term.Plural(int64(to.Len()), "block"))
	return nil
}

// applyLine brings one event to a consumer, after so many.
func applyLine(to *invariants.Consumer, line []byte, seq int64) error {
	e := kvevents.Record{}
	if err := json.Unmarshal(line, &e); err != nil {
		return err
	}
	if e.Seq != seq+1 {
		return fmt.Errorf("kv event %d follows event %d: what is between them is lost, and with it what the cache holds", e.Seq, seq)
	}
	return e.Apply(to)
}
