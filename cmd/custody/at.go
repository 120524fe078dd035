package main

import (
	"fmt"
	"io"

	"custody/sim"
)

// replayAt prints the state of the world after one step.
func replayAt(c *console, src *source, step uint64, only string) error {
	rec := sim.Record(src.script)
	frame, err := rec.At(int64(step))
	if err != nil {
		return usagef("--at: %s: %w", src.name, err)
	}
	c.buffered(func(w io.Writer) {
		p := newPane(src.script, frame, onlyOn(only))
		fmt.Fprintln(w, p.title(rec.Last))
		for _, line := range append(p.told(false), p.world()...) {
			fmt.Fprintln(w, line)
		}
	})
	return src.verdict(rec.Result)
}

// onlyOn is what is followed if one request is: the one of this name, or with none everything.
func onlyOn(name string) focus {
	if name == "" {
		return focus{}
	}
	return focus{kind: oneRequest, name: name}
}
