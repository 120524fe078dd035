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
	setup  *setup
	first  *world
	eyes   *touchNoter
	steps  []stepRecord // by step, from 1
	copies []snapshot
	every  int64 // steps from copy to copy
	most   int   // copies at the most

	walker *world // what is looked at
	stands position
	wanted int64
	taken  *Frame // of the wanted step, once the walker has come to it
}

// stepRecord is what the first run tells of a step.
type stepRecord struct {
	kind    Kind
	line    int
	touches []Touch
	notes   []string
}

// snapshot is a copy of the world.
type snapshot struct {
	world *world
	at    position
}

// The copies' bounds: bytes of all of them together, their number, and the steps between the first two.
const (
	copyBytes = 64 << 20
	maxCopies = 256
	copyEvery = 16
)

// Record runs a script from its first moment and keeps what is needed to look at any of its steps.
func Record(s *traces.Script) *Recording {
	setup := newSetup(s, nil)
	return record(s, setup, int(min(copyBytes/setup.bytes(s), maxCopies)))
}

// record is Record with a setup and a number of copies of the caller's.
func record(s *traces.Script, setup *setup, most int) *Recording {
	w := newWorld(setup, worldOptions{narrate: true})
	r := &Recording{
		script: s, setup: setup, first: w, eyes: &touchNoter{teller: w.teller}, every: copyEvery, most: most,
		steps: make([]stepRecord, 1),
	}
	w.attach(r.eyes)
	w.recording = r
	r.Result = w.run(s)
	r.Last = w.step
	if int(r.Last) == len(r.steps) { // it crashed, and has no end
		r.noteStep(w)
	}
	r.sortNotes()
	r.first, w.recording = nil, nil
	return r
}

// bytes is about what a copy of a world takes: for each slot of a layer its words and the ledger's entry, for each token
// of a client, of the request table and of a row what is kept by position.
func (c *setup) bytes(s *traces.Script) int64 {
	l := c.cache.Layout
	slots := int64(l.Layers) * int64(l.Blocks) * int64(l.BlockTokens)
	texts := int64(min(s.Size(), maxClients)) + int64(c.scheduler.Slots()+c.runner.Rows)
	return slots*int64(8*l.TokenWords+24) + texts*int64(c.scheduler.MaxLen)*16 + 1<<14
}

// stepped is told of the end of every step of the first run, and of the walker's.
func (r *Recording) stepped(w *world) {
	if w == r.first {
		r.noteStep(w)
	} else if w.step == r.wanted {
		r.taken = w.frame(r.script)
	}
}

func (r *Recording) noteStep(w *world) {
	r.steps = append(r.steps, stepRecord{kind: Kind(w.ledger.Event()), line: w.teller.line - 1, touches: r.eyes.now})
	r.eyes.now = nil
}

// passes is told where the first run stands between two pieces, and copies the world when the last copy is old enough.
func (r *Recording) passes(w *world, at position) {
	last := int64(0)
	if n := len(r.copies); n > 0 {
		last = r.copies[n-1].world.step
	}
	if r.most < 2 || w.step-last < r.every {
		return
	}
	if len(r.copies) == r.most {
		r.thin()
	}
	c := snapshot{world: newWorld(r.setup, worldOptions{}), at: at}
	w.cloneInto(c.world)
	r.copies = append(r.copies, c)
}

// thin drops every second copy.
func (r *Recording) thin() {
	kept := r.copies[:0]
	for i, c := range r.copies {
		if i%2 == 1 {
			kept = append(kept, c)
		}
	}
	clear(r.copies[len(kept):])
	r.copies, r.every = kept, r.every*2
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
	f := r.walk(step)
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

// walk brings the walker through a step, and returns what it has seen at its end.
func (r *Recording) walk(step int64) *Frame {
	r.start(step)
	if step == 0 {
		return r.walker.frame(r.script)
	}
	r.wanted, r.taken = step, nil
	w := r.walker
	w.guarded(func() {
		for r.taken == nil {
			if !w.piece(&r.script.Events[r.stands.line], r.stands.line, &r.stands.part) {
				r.stands = position{line: r.stands.line + 1}
			}
		}
	})
	if r.taken == nil { // it crashed in this step
		r.taken = w.frame(r.script)
	}
	return r.taken
}

// start brings the walker to where it can go on from to the step.
func (r *Recording) start(step int64) {
	from := -1
	for i := range r.copies {
		if r.copies[i].world.step < step {
			from = i
		}
	}
	w := r.walker
	behind := w != nil && w.step < step
	switch {
	case behind && (from < 0 || r.copies[from].world.step <= w.step): // it goes on
	case from >= 0:
		r.renew()
		r.copies[from].world.cloneInto(r.walker)
		r.stands = r.copies[from].at
	default:
		r.renew()
		r.walker.reset()
		r.stands = position{}
	}
}

// renew makes a walker if there is none.
func (r *Recording) renew() {
	if r.walker == nil {
		r.walker = newWorld(r.setup, worldOptions{})
		r.walker.recording = r
	}
}
