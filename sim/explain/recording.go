package explain

import (
	"fmt"
	"strconv"
	"strings"

	"custody/cache"
	"custody/sim"
	"custody/traces"
)

// Recording is a run that can be looked at after any of its steps, forwards and backwards. The script is executed once,
// for the words, and the world is copied on the way; a look takes the nearest copy before it and goes on from there.
//
//	first run   0 ───── copy ───── copy ───── copy ───── last
//	At(n)                 └──▶ n
//
// The copies take at most about copyBytes. A world that is too large for two of them, or that cannot be copied, is executed
// from the beginning at each look.
type Recording struct {
	Result *Narrated
	Last   int64 // the number of the last step

	script   *traces.Script
	narrator *Narrator
	steps    []stepRecord // by step, from 1
	touches  []Touch      // of the present step of the first run
	copies   copies
	walker   *walker
}

// stepRecord is what the first run tells of a step.
type stepRecord struct {
	kind    sim.StepKind
	line    int
	touches []Touch
	notes   []string
}

// Record runs a script from its first moment and keeps what is needed to look at any of its steps. The error says why it
// cannot be run.
func Record(s *traces.Script, o sim.ExecuteOptions) (*Recording, error) {
	return record(s, o, -1)
}

// record is Record with a number of copies of the caller's; below 0 it follows from their size.
func record(s *traces.Script, o sim.ExecuteOptions, most int) (*Recording, error) {
	r := &Recording{script: s, steps: make([]stepRecord, 1), narrator: &Narrator{}, walker: &walker{script: s}}
	o.Watch = nil
	first, watched := o, o
	first.Watch = []sim.Watcher{r.narrator, &recorder{r}}
	watched.Watch = []sim.Watcher{r.walker}
	w, err := sim.NewWorld(s, first)
	if err != nil {
		return nil, err
	}
	if _, err = sim.NewWorld(s, watched); err != nil {
		return nil, err
	}
	if most < 0 {
		most = int(min(copyBytes/w.Bytes(), maxCopies))
	}
	r.copies = copies{every: copyEvery, most: most, fresh: func() *sim.World {
		x, _ := sim.NewWorld(s, o) // the same options have just made one
		return x
	}}
	r.run(w)
	return r, nil
}

// run is the first run.
func (r *Recording) run(w *sim.World) {
	w.Guard(func() {
		for w.Next() {
			r.copies.pass(w)
		}
	})
	r.Result, r.Last = &Narrated{w.Result(), r.narrator}, w.Step().Number
	if int(r.Last) == len(r.steps) { // it crashed, and has no end
		r.noteStep(w.Step())
	}
	r.sortNotes()
}

// recorder takes the first run down, step by step.
type recorder struct{ *Recording }

// Start implements sim.Watcher.
func (r *recorder) Start(*sim.World) {}

// Begin implements sim.Watcher.
func (r *recorder) Begin(sim.Step) {}

// Saw implements sim.Watcher.
func (r *recorder) Saw(*sim.Fact) {}

// End implements sim.Watcher.
func (r *recorder) End(s sim.Step) { r.noteStep(s) }

// Observer implements sim.Observing.
func (r *recorder) Observer() cache.Observer { return &toucher{Recording: r.Recording} }

// noteStep takes down the step that has ended.
func (r *Recording) noteStep(s sim.Step) {
	r.steps = append(r.steps, stepRecord{kind: s.Kind, line: s.Line, touches: r.touches})
	r.touches = nil
}

// sortNotes brings the words of the first run to their steps. Each begins with the number of its step.
func (r *Recording) sortNotes() {
	for _, notes := range r.narrator.Notes() {
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

// Happened is what happened in a step, in words and block by block.
func (r *Recording) Happened(step int64) (notes []string, touches []Touch) {
	return r.steps[step].notes, r.steps[step].touches
}

// breaches are the promises broken by the end of a step.
func (r *Recording) breaches(step int64) (list []BreachFrame) {
	for i := range r.Result.Breaches {
		b := &r.Result.Breaches[i]
		if b.Step <= step {
			list = append(list, BreachFrame{r.Result.PromiseName(b), b.Step, r.Result.Message(i), r.Result.Names(i)})
		}
	}
	return list
}

// start brings the walker to where it can go on from to a step: where it stands, or the nearest copy before.
func (r *Recording) start(step int64) {
	w, from := r.walker.world, r.copies.before(step)
	at := w.Step().Number
	switch {
	case at < step && (from == nil || from.Step().Number <= at): // it goes on
	case from != nil:
		from.CloneInto(w)
	default:
		w.Reset()
	}
}
