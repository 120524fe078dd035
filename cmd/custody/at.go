package main

import (
	"fmt"
	"io"

	"custody/sim"
)

// replayAt prints the state of the world after one step.
func replayAt(c *console, src *source, o *replayOptions) error {
	rec := sim.Record(src.script)
	frame, err := rec.At(int64(o.at.value))
	if err != nil {
		return usagef("--at: %s: %w", src.name, err)
	}
	c.buffered(func(w io.Writer) {
		p := newPane(src.script, frame, o.focused())
		fmt.Fprintln(w, p.title(rec.Last))
		for _, line := range append(p.told(false), p.world()...) {
			fmt.Fprintln(w, line)
		}
	})
	return verdict(src, rec.Result)
}

// focused is what --only asks for.
func (o *replayOptions) focused() focus {
	if o.only == "" {
		return focus{}
	}
	return focus{kind: oneRequest, name: o.only}
}
