package view

import (
	"fmt"
	"io"

	"custody/cmd/custody/internal/exit"
	"custody/cmd/custody/internal/source"
	"custody/cmd/custody/internal/term"
	"custody/sim"
	"custody/sim/explain"
)

// At prints the state of the world after one step.
func At(c *term.Console, src *source.Source, step uint64, only string) error {
	rec, err := explain.Record(src.Script, sim.ExecuteOptions{})
	if err != nil {
		return err
	}
	frame, err := rec.At(int64(step))
	if err != nil {
		return exit.Usagef("--at: %s: %w", src.Name, err)
	}
	c.Buffered(func(w io.Writer) {
		p := newPane(src.Script, frame, onlyOn(only))
		fmt.Fprintln(w, p.title(rec.Last))
		for _, line := range append(p.told(false), p.world()...) {
			fmt.Fprintln(w, line)
		}
	})
	return src.Verdict(rec.Result)
}

// onlyOn is what is followed if one request is: the one of this name, or with none everything.
func onlyOn(name string) focus {
	if name == "" {
		return focus{}
	}
	return focus{kind: oneRequest, name: name}
}
