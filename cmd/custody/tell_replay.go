package main

import (
	"fmt"
	"io"

	"custody/cmd/internal/files"
	"custody/sim"
	"custody/traces"
)

// replay runs a script and tells what happened.
func replay(c *console, src *source, o tellOptions) error {
	res := narrate(src.script, src.model)
	trace := res.Trace(src.script)
	var lost error
	if o.trace != "" { // before the words: whoever reads them may close the output
		lost = files.Write(o.trace, []byte(trace.String()))
	}
	c.buffered(func(w io.Writer) {
		p := newPainter(src.script)
		headline(w, src, res)
		(&narrative{w: w, paint: p, options: &o}).tell(trace)
		fmt.Fprintln(w)
		ending(w, p, src, res)
		footer(w, src, o.only, res)
	})
	if lost != nil {
		return fmt.Errorf("the trace could not be written: %w", lost)
	}
	return src.verdict(res)
}

// headline is the first breach in words.
func headline(w io.Writer, src *source, res *sim.Result) {
	if !res.OK() {
		p := newPainter(src.script).through(src.script.Events[:res.Last[0]+1])
		fmt.Fprintf(w, "%s\n\n", p.line(res.Message(0)))
	}
}

// ending lists every broken promise, and how the run compares with what the file says.
func ending(w io.Writer, p *painter, src *source, res *sim.Result) {
	for i, b := range res.Outcome().Breaches {
		fmt.Fprintf(w, "%s at step %d: %s\n    the promise: %s\n", bold.Sprint("BROKEN "+b.Promise), b.Step, p.line(b.Message), sentence(res.PromiseName(&res.Breaches[i])))
	}
	if res.OK() {
		fmt.Fprintf(w, "every promise was kept: %s, %s checked\n", plural(res.Work.Steps, "step"), plural(res.Work.Reads, "slot read"))
	}
	fmt.Fprintf(w, "digest %s\n", res.Digest)
	if t := src.trace; t != nil && t.Digest != "" && t.Digest != res.Digest.String() {
		fmt.Fprintf(w, "the file says that the digest is %s: it was made by another engine, or another version of this one\n", t.Digest)
	}
	if want := src.script.Expect; want.Set {
		fmt.Fprintln(w, met(want, res))
	}
}

// met says how a result compares with the script's expectation.
func met(want traces.Expect, res *sim.Result) string {
	line := "expect ok"
	if want.Promise != "" {
		line = "expect violates " + want.Promise
		if want.By != "" {
			line += " by " + want.By
		}
	}
	if err := res.Meets(want); err != nil {
		return fmt.Sprintf("not as the file says (%s): %s", line, oneLine(err.Error()))
	}
	return fmt.Sprintf("as the file says (%s)", line)
}

// footer is the command to type next: shrink what fails, or look at what is small already.
func footer(w io.Writer, src *source, only string, res *sim.Result) {
	if res.OK() {
		return
	}
	want := src.script.Expect
	shrunk := want.Promise != "" && res.Meets(want) == nil && want.By != ""
	if shrunk && only == "" && !src.seed {
		fmt.Fprintf(w, "next: %s --only %s\n", src.command("replay"), want.By)
		return
	}
	fmt.Fprintf(w, "next: %s\n", src.command("shrink"))
}
