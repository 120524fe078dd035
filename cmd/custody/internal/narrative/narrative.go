package narrative

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"custody/cmd/custody/internal/term"
	"custody/traces"
)

// Options say which part of a run is told.
type Options struct {
	From  uint64 // the first step; 0: what precedes the steps, too
	To    uint64 // the last step
	Only  string // a request's name; "" is all
	Trace string // file for the full trace; "" is none
}

// narrative prints a trace for a person: lines of the script, and what happened under them. Without colours and filters
// it is the text of the trace itself.
type narrative struct {
	w       io.Writer
	paint   *term.Painter
	options *Options
	step    uint64 // of the last note
}

func (n *narrative) tell(t *traces.Trace) {
	n.header(t.Script)
	n.notes(t, 0)
	for i := range t.Script.Events {
		e := &t.Script.Events[i]
		n.paint.Reached(e)
		if n.wants(e.String(), n.reach(t, i)) {
			fmt.Fprintln(n.w, n.paint.Line(e.String()))
		}
		n.notes(t, i+1)
	}
}

// header prints what precedes the events.
func (n *narrative) header(s *traces.Script) {
	bare := *s
	bare.Events, bare.Expect = nil, traces.Expect{}
	if text := bare.String(); text != "" {
		fmt.Fprintln(n.w, term.Faint.Sprint(strings.TrimRight(text, "\n")))
	}
}

// notes prints what happened under one line of the script.
func (n *narrative) notes(t *traces.Trace, i int) {
	if i >= len(t.Notes) {
		return
	}
	for _, note := range t.Notes[i] {
		n.step = max(n.step, stepOf(note))
		if !n.wants(note, [2]uint64{n.step, n.step}) {
			continue
		}
		text := n.paint.Line(note)
		if strings.Contains(note, " BROKEN ") {
			text = strings.Replace(text, "BROKEN", term.Bold.Sprint("BROKEN"), 1)
		}
		fmt.Fprintln(n.w, term.Faint.Sprint(">"), text)
	}
}

// wants tells whether a line that belongs to a range of steps is asked for.
func (n *narrative) wants(text string, steps [2]uint64) bool {
	o := n.options
	if steps[1] < o.From || steps[0] > o.To {
		return false
	}
	return o.Only == "" || term.Mentions(text, o.Only)
}

// reach is the range of steps that a line of the script covers, as far as the notes tell: a line without notes stands
// between its neighbours.
func (n *narrative) reach(t *traces.Trace, i int) [2]uint64 {
	last := n.step + 1
	if i+1 < len(t.Notes) {
		for _, note := range t.Notes[i+1] {
			last = max(last, stepOf(note))
		}
	}
	return [2]uint64{n.step + 1, last}
}

// stepOf reads the step that a note begins with; a note without one belongs to no step.
func stepOf(note string) uint64 {
	number, _, _ := strings.Cut(note, " ")
	step, err := strconv.ParseUint(number, 10, 64)
	if err != nil {
		return 0
	}
	return step
}
