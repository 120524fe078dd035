package traces

import (
	"errors"
	"fmt"
	"strings"
)

// Trace is a script with what happened when it ran. Its text is the script's, with lines of narrative, which begin
// with >, after the event that they follow, and the run's digest at the end. Every trace is a script too.
type Trace struct {
	Script *Script
	Notes  [][]string // single lines, without their "> "; index 0: before the first event, i+1: after event i
	Digest string     // 32 hexadecimal digits, or "" if it is not known
}

// String prints the trace; ParseTrace reads it back.
func (t *Trace) String() string {
	b := t.appendNotes(t.Script.appendHeader(nil), 0)
	for i := range t.Script.Events {
		b = append(t.Script.Events[i].append(b), '\n')
		b = t.appendNotes(b, i+1)
	}
	b = t.Script.Expect.append(b)
	if t.Digest != "" {
		b = appendInner(b, '>', "digest "+t.Digest)
	}
	return string(b)
}

func (t *Trace) appendNotes(b []byte, i int) []byte {
	if i >= len(t.Notes) {
		return b
	}
	for _, n := range t.Notes[i] {
		b = appendInner(b, '>', n)
	}
	return b
}

// ParseTrace reads a trace as strictly as Parse reads a script.
func ParseTrace(file, text string) (*Trace, error) {
	p := newParser(file)
	t := &Trace{Script: p.script}
	digest := 0 // its line
	p.note = func(note string) error {
		if digest > 0 {
			return fmt.Errorf("narrative after the digest (line %d), which must be the last line", digest)
		}
		hex, ok := strings.CutPrefix(note, "digest ")
		if !ok {
			t.add(note)
			return nil
		}
		if !isDigest(hex) {
			return fmt.Errorf("digest: found %q, expected %d hexadecimal digits", hex, digestLen)
		}
		t.Digest, digest = hex, p.line
		return nil
	}
	if err := p.parse(text); err != nil {
		return nil, err
	}
	if digest > 0 && digest < p.last {
		return nil, p.at(digest, errors.New("digest: found before the script's end, expected on the last line"))
	}
	t.pad()
	return t, nil
}

// add writes a line of narrative after the events that the script has so far.
func (t *Trace) add(note string) {
	t.pad()
	last := len(t.Notes) - 1
	t.Notes[last] = append(t.Notes[last], note)
}

// pad gives every event a place for notes.
func (t *Trace) pad() {
	for len(t.Notes) <= len(t.Script.Events) {
		t.Notes = append(t.Notes, nil)
	}
}

// Side is what one of two traces has at a difference.
type Side struct {
	Line  string // of the step, without its "> "; "" if this trace has no such step
	Event string // the event's line that it stands under; "" if it stands before the first
}

// Difference is the first place at which two traces part.
type Difference struct {
	Step int // 0: no step differs, only the digests do; the lines then hold them
	A, B Side
}

// String says it in three lines.
func (d Difference) String() string {
	if d.Step == 0 {
		return fmt.Sprintf("no step reads differently, but the digests do\n  a: %s\n  b: %s", d.A.Line, d.B.Line)
	}
	return fmt.Sprintf("first difference at step %d\n  a: %s\n  b: %s", d.Step, d.A, d.B)
}

// String shows the line and what it stands under.
func (s Side) String() string {
	switch {
	case s.Line == "":
		return "no such step"
	case s.Event == "":
		return s.Line + "  (before the first event)"
	}
	return s.Line + "  (under `" + s.Event + "`)"
}

// FirstDifference returns the first step whose line is not the same in b. Lines that do not begin with a
// step's number are commentary and are not compared.
func (t *Trace) FirstDifference(b *Trace) (Difference, bool) {
	as, bs := t.steps(), b.steps()
	for i := 0; i < max(len(as), len(bs)); i++ {
		x, y := stepAt(as, i), stepAt(bs, i)
		if x.line == y.line {
			continue
		}
		d := Difference{Step: min(x.number, y.number)}
		d.A, d.B = t.side(x, d.Step), b.side(y, d.Step)
		return d, true
	}
	if t.Digest != b.Digest {
		return Difference{A: Side{Line: t.Digest}, B: Side{Line: b.Digest}}, true
	}
	return Difference{}, false
}

// traceStep is one line of narrative that describes a step.
type traceStep struct {
	number int
	line   string
	notes  int // index into Notes
}

// steps lists a trace's steps in order.
func (t *Trace) steps() []traceStep {
	var all []traceStep
	for i, notes := range t.Notes {
		for _, n := range notes {
			if number, ok := stepNumber(n); ok {
				all = append(all, traceStep{number, n, i})
			}
		}
	}
	return all
}

// stepNumber reads the number that a step's line begins with.
func stepNumber(note string) (n int, ok bool) {
	i := 0
	for ; i < len(note) && isDigit(note[i]) && n < lastStep/10; i++ {
		n = n*10 + int(note[i]-'0')
	}
	return n, n > 0 && (i == len(note) || note[i] == ' ')
}

// lastStep stands for the number of a step that is not there: it is after all others.
const lastStep = 1<<31 - 1

func stepAt(steps []traceStep, i int) traceStep {
	if i < len(steps) {
		return steps[i]
	}
	return traceStep{number: lastStep}
}

// side is what the trace has to show at a step; the step that it has next may be a later one.
func (t *Trace) side(s traceStep, number int) Side {
	switch {
	case s.number != number:
		return Side{}
	case s.notes == 0 || s.notes > len(t.Script.Events):
		return Side{Line: s.line}
	}
	return Side{Line: s.line, Event: t.Script.Events[s.notes-1].String()}
}
