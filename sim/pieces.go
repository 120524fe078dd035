package sim

import "custody/traces"

// A line of a script may let many derived events happen. It is taken in piece by piece, so that whoever looks at a run
// can stop between two of them and go on later, in a copy of the world too.

// part is how far the world has come within a line.
type part struct {
	begun bool
	left  int64 // derived events that the line still lets happen
	end   Time  // of an advance
}

// perform applies one line of a script.
func (w *world) perform(e *traces.Event, i int) {
	at := position{line: i}
	for w.piece(e, i, &at.part) {
		w.pieceDone(at)
	}
	w.pieceDone(position{line: i + 1})
}

// position is where a world stands in its script: between two pieces of a line.
type position struct {
	line int
	part part
}

// pieceDone tells whoever copies the run where it stands.
func (w *world) pieceDone(at position) {
	if w.onPiece != nil {
		w.onPiece(at)
	}
}

// piece does the next piece of a line: one derived event with the anchored events that it fires, or all of it. It
// reports false when the line is done.
func (w *world) piece(e *traces.Event, i int, p *part) bool {
	if !p.begun {
		w.tellLine(i)
	}
	more := false
	switch e.Verb {
	case traces.Run:
		return w.runOn(e, i, p)
	case traces.Advance:
		more = w.until(e, p)
	case traces.Drain:
		more = w.drain(p)
	default:
		w.take(e, i)
		return false
	}
	if !more {
		w.fired(i)
	}
	return more
}

// runOn lets the next derived event happen.
func (w *world) runOn(e *traces.Event, i int, p *part) bool {
	if !p.begun {
		p.begun, p.left = true, e.Args[traces.Count]
	}
	if p.left <= 0 || !w.advance() {
		return false
	}
	p.left--
	w.fired(i)
	return true
}

// until lets time pass: all derived events that are due by then happen.
func (w *world) until(e *traces.Event, p *part) bool {
	if !p.begun {
		p.begun, p.end = true, w.now+Time(e.Args[traces.Ticks])
	}
	if _, _, at, ok := w.next(); ok && at <= p.end {
		return w.advance()
	}
	w.now = max(w.now, p.end)
	return false
}
