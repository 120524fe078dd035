package sim

import "custody/traces"

// walker is a world that goes from one step to another, to be looked at.
type walker struct {
	*world
	script *traces.Script
	at     position
	wanted int64
	seen   *Frame // of the wanted step, once the walker has come to it
}

func newWalker(s *traces.Script, c *setup) *walker {
	w := &walker{world: newWorld(c, worldOptions{}), script: s}
	w.onStep = func() {
		if w.step == w.wanted {
			w.seen = w.frame(s)
		}
	}
	return w
}

// walk goes on through a step, and returns what the walker sees at its end.
func (w *walker) walk(step int64) *Frame {
	w.wanted, w.seen = step, nil
	if step == 0 {
		return w.frame(w.script)
	}
	w.guarded(func() {
		for w.seen == nil {
			if !w.piece(&w.script.Events[w.at.line], w.at.line, &w.at.part) {
				w.at = position{line: w.at.line + 1}
			}
		}
	})
	if w.seen == nil { // it crashed in this step
		return w.frame(w.script)
	}
	return w.seen
}
