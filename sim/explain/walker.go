package explain

import (
	"custody/sim"
	"custody/traces"
)

// walker takes a world from one step to another, and looks at it there.
type walker struct {
	world  *sim.World
	script *traces.Script
	wanted int64
	seen   *Frame // of the wanted step, once the world has come to it
}

// Start implements sim.Watcher.
func (w *walker) Start(x *sim.World) { w.world = x }

// Begin implements sim.Watcher.
func (w *walker) Begin(sim.Step) {}

// Saw implements sim.Watcher.
func (w *walker) Saw(*sim.Fact) {}

// End implements sim.Watcher.
func (w *walker) End(s sim.Step) {
	if s.Number == w.wanted {
		w.seen = frame(w.world, w.script)
	}
}

// walk goes on through a step, and returns what the walker sees at its end.
func (w *walker) walk(step int64) *Frame {
	w.wanted, w.seen = step, nil
	if step == 0 {
		return frame(w.world, w.script)
	}
	w.world.Guard(func() {
		for w.seen == nil && w.world.Next() {
		}
	})
	if w.seen == nil { // it crashed in this step
		return frame(w.world, w.script)
	}
	return w.seen
}
