// Package narrative tells a run in words: the lines of its script, and under each one the steps that it led to.
package narrative

import (
	"fmt"
	"io"

	"custody/cmd/custody/internal/source"
	"custody/cmd/custody/internal/term"
	"custody/cmd/internal/files"
	"custody/sim/explain"
	"custody/traces"
)

// Replay runs a script and tells what happened.
func Replay(c *term.Console, src *source.Source, o Options) error {
	res, err := source.Narrate(src.Script, src.Model)
	if err != nil {
		return err
	}
	trace := res.Trace(src.Script)
	var lost error
	if o.Trace != "" { // before the words: whoever reads them may close the output
		lost = files.Write(o.Trace, []byte(trace.String()))
	}
	c.Buffered(func(w io.Writer) {
		p := term.NewPainter(src.Script)
		headline(w, src, res)
		(&narrative{w: w, paint: p, options: &o}).tell(trace)
		fmt.Fprintln(w)
		ending(w, p, src, res)
		footer(w, src, o.Only, res)
	})
	if lost != nil {
		return fmt.Errorf("the trace could not be written: %w", lost)
	}
	return src.Verdict(res)
}

// headline is the first breach in words.
func headline(w io.Writer, src *source.Source, res *explain.Narrated) {
	if !res.OK() {
		p := term.NewPainter(src.Script).Through(src.Script.Events[:res.Last[0]+1])
		fmt.Fprintf(w, "%s\n\n", p.Line(res.Message(0)))
	}
}

// ending lists every broken promise, and how the run compares with what the file says.
func ending(w io.Writer, p *term.Painter, src *source.Source, res *explain.Narrated) {
	for i, b := range res.Outcome().Failures {
		fmt.Fprintf(w, "%s at step %d: %s\n    the promise: %s\n", term.Bold.Sprint("BROKEN "+b.Promise), b.Step,
			p.Line(res.Message(i)), source.Sentence(res.PromiseName(&res.Breaches[i])))
	}
	if res.OK() {
		fmt.Fprintf(w, "every promise was kept: %s, %s checked\n", term.Plural(res.Work.Steps, "step"),
			term.Plural(res.Work.Reads, "slot read"))
	}
	fmt.Fprintf(w, "digest %s\n", res.Digest)
	if t := src.Trace; t != nil && t.Digest != "" && t.Digest != res.Digest.String() {
		fmt.Fprintf(w, "the file says that the digest is %s: it was made by another engine, or another version of this one\n", t.Digest)
	}
	if want := src.Script.Expect; want.Set {
		fmt.Fprintln(w, met(want, res))
	}
}

// met says how a result compares with the script's expectation.
func met(want traces.Expect, res *explain.Narrated) string {
	line := "expect ok"
	if want.Promise != "" {
		line = "expect violates " + want.Promise
		if want.By != "" {
			line += " by " + want.By
		}
	}
	if err := res.Meets(want); err != nil {
		return fmt.Sprintf("not as the file says (%s): %s", line, term.OneLine(err.Error()))
	}
	return fmt.Sprintf("as the file says (%s)", line)
}

// footer is the command to type next: shrink what fails, or look at what is small already.
func footer(w io.Writer, src *source.Source, only string, res *explain.Narrated) {
	if res.OK() {
		return
	}
	want := src.Script.Expect
	shrunk := want.Promise != "" && res.Meets(want) == nil && want.By != ""
	if shrunk && only == "" && !src.Seed {
		fmt.Fprintf(w, "next: %s --only %s\n", src.Command("replay"), want.By)
		return
	}
	fmt.Fprintf(w, "next: %s\n", src.Command("shrink"))
}
