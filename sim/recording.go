package sim

import (
	"fmt"
	"strconv"
	"strings"

	"custody/traces"
)

// Recording is a run that can be looked at after any of its steps, forwards and backwards. The script is executed once,
// for the words, and the world is copied on the way; a look takes the nearest copy before it and goes on from there.
//
//	first run   0 ───── copy ───── copy ───── copy ───── last
//	At(n)                 └──▶ n
//
// The copies take at most about copyBytes. A world that is too large for two of them is executed from the beginning at
// each look.
type Recording struct {
	Result *Result
	Last   int64 // the number of the last step

	script *traces.Script
	steps  []stepRecord // by step, from 1
	copies copies
	walker *walker
}

// stepRecord is what the first run tells of a step.
type stepRecord struct {
	kind    Kind
	line    int
	touches []Touch
	notes   []string
}

// Record runs a script from its first moment and keeps what is needed to look at any of its steps.
func Record(s *traces.Script) *Recording {
	setup := newSetup(s, nil)
	return record(s, setup, int(min(copyBytes/setup.bytes(s), maxCopies)))
}

// record is Record with a setup and a number of copies of the caller's.
func record(s *traces.Script, setup *setup, most int) *Recording {
	r := &Recording{
		script: s, steps: make([]stepRecord, 1), copies: copies{setup: setup, every: copyEvery, most: most},
		walker: newWalker(s, setup),
	}
	w := newWorld(setup, worldOptions{narrate: true})
	noter := &touchNoter{teller: w.teller}
	w.attach(noter)
	w.onStep = func() { r.noteStep(noter) }
	w.onPiece = func(at position) { r.copies.pass(w, at) }
	r.Result = w.run(s)
	r.Last = w.step
	if int(r.Last) == len(r.steps) { // it crashed, and has no end
		r.noteStep(noter)
	}
	r.sortNotes()
	return r
}

// noteStep takes down the step that has ended.
func (r *Recording) noteStep(x *touchNoter) {
	r.steps = append(r.steps, stepRecord{kind: Kind(x.Look().Event()), line: x.line - 1, touches: x.now})
	x.now = nil
}

// sortNotes brings the words of the first run to their steps. Each begins with the number of its step.
func (r *Recording) sortNotes() {
	for _, notes := range r.Result.Trace(r.script).Notes {
		for _, note := range notes {
			number, words, _ := strings.Cut(note, " ")
			_, words, _ = strings.Cut(words, " ") // the time
			if n, err := strconv.Atoi(number); err == nil && n < len(r.steps) {
				r.steps[n].notes = append(r.steps[n].notes, words)
			}
		}
	}
}

// At is the state of the world after a step, from 0 (before the first) to Last. The same step gives the same frame,
// whichever was looked at before.
func (r *Recording) At(step int64) (*Frame, error) {
	if step < 0 || step > r.Last {
		return nil, fmt.Errorf("there is no step %d: the last step is %d", step, r.Last)
	}
	r.start(step)
	f := r.walker.walk(step)
	x := &r.steps[step]
	f.Line, f.Notes, f.Touches = x.line, x.notes, x.touches
	if step == 0 {
		f.Line = -1
	} else {
		f.Kind = x.kind.String()
	}
	f.Breaches = r.breaches(step)
	return f, nil
}

// Told is what happened in a step, in words and block by block.
func (r *Recording) Told(step int64) (notes []string, touches []Touch) {
	return r.steps[step].notes, r.steps[step].touches
}

// breaches are the promises broken by the end of a step.
func (r *Recording) breaches(step int64) (list []BreachFrame) {
	for i := range r.Result.Breaches {
		b := &r.Result.Breaches[i]
		if b.Step <= step {
			list = append(list, BreachFrame{r.Result.PromiseName(b), b.Step, r.Result.Message(i), r.Result.names(i)})
		}
	}
	return list
}

// start brings the walker to where it can go on from to a step: where it stands, or the nearest copy before.
func (r *Recording) start(step int64) {
	w, from := r.walker, r.copies.before(step)
	switch {
	case w.step < step && (from == nil || from.world.step <= w.step): // it goes on
	case from != nil:
		from.world.cloneInto(w.world)
		w.at = from.at
	default:
		w.reset()
		w.at = position{}
	}
}
