// Package explain says to people what a run did: a Narrator writes it down step by step, and says in the sentence of a breach
// who did what where; a Recording can be looked at after any of its steps; a Receipt says of each output token which KV it
// was computed from. All of them are watchers of a world: no step needs them.
package explain

import (
	"fmt"

	"custody/cache"
	"custody/invariants"
	"custody/sim"
)

// Narrator is a watcher that writes down what happens, and remembers who did what to which block and row, and where in the
// source.
type Narrator struct {
	world    *sim.World
	notes    [][]string // by line of the script, from 1; 0 is before the first
	freed    map[cache.BlockID]mark
	given    map[cache.BlockID]mark
	bound    map[int32]binding
	wrote    map[slotAt]mark
	lives    lives
	messages []string        // by breach, in words, as they were known when it happened
	used     map[int32]int32 // by client: the worker's row that it was computed in last
}

type slotAt struct {
	block cache.BlockID
	at    int32
}

// mark is a step, and the place in the source that did it.
type mark struct {
	step  int64
	place string
}

// binding is a row's binding to a request.
type binding struct {
	mark
	client int32
	left   *binding // what the row was bound to before, if it has not been cleared since
}

// Start implements sim.Watcher.
func (n *Narrator) Start(w *sim.World) {
	*n = Narrator{
		world: w, notes: make([][]string, 1),
		freed: map[cache.BlockID]mark{}, given: map[cache.BlockID]mark{}, bound: map[int32]binding{},
		wrote: map[slotAt]mark{}, used: map[int32]int32{}, lives: newLives(w),
	}
}

// Begin implements sim.Watcher.
func (n *Narrator) Begin(s sim.Step) {
	for len(n.notes) <= s.Line+1 {
		n.notes = append(n.notes, nil)
	}
}

// End implements sim.Watcher.
func (n *Narrator) End(sim.Step) { n.noteBreaches() }

// Observer implements sim.Observing.
func (n *Narrator) Observer() cache.Observer { return &memory{Narrator: n} }

// Notes are what happened, in words, by line of the script from 1. What stands at 0 was before the first.
func (n *Narrator) Notes() [][]string { return n.notes }

// Message says in words what the i-th breach was, with both culprits' places in the source.
func (n *Narrator) Message(i int) string { return n.messages[i] }

// noteBreaches puts new breaches into words while it is known who did what last.
func (n *Narrator) noteBreaches() {
	if n.world.Ledger() == nil {
		return
	}
	for breaches := n.world.Ledger().Breaches(); len(n.messages) < len(breaches); {
		b := &breaches[len(n.messages)]
		n.messages = append(n.messages, n.world.Sentence(b, n))
		n.note("BROKEN %s: %s", n.world.PromiseName(b), n.messages[len(n.messages)-1])
	}
}

// note writes down one line of what happens in this step.
func (n *Narrator) note(format string, args ...any) {
	s := n.world.Step()
	line := fmt.Sprintf("%d t=%d ", s.Number, s.Time) + fmt.Sprintf(format, args...)
	n.notes[s.Line+1] = append(n.notes[s.Line+1], line)
}

// Written implements sim.Places.
func (n *Narrator) Written(b *invariants.Breach) string {
	size := n.world.Layout().BlockTokens
	return fmt.Sprintf(" at step %d", n.wrote[slotAt{b.Block, b.Pos % size}].step)
}

// Given implements sim.Places.
func (n *Narrator) Given(b *invariants.Breach) string {
	if m, ok := n.given[b.Block]; ok {
		return fmt.Sprintf(", handed out at step %d%s", m.step, inside(m.place))
	}
	return ""
}

// Through implements sim.Places: where the block was freed and where the row was bound.
func (n *Narrator) Through(b *invariants.Breach) string {
	text := ""
	if m, ok := n.freed[b.Block]; ok {
		text += fmt.Sprintf(", freed at step %d%s", m.step, inside(m.place))
	}
	if row, ok := n.used[b.Reader]; ok {
		text += n.boundAt(row)
	}
	return text
}

// boundAt says where a row was bound, and to whom before if it was never cleared.
func (n *Narrator) boundAt(row int32) string {
	m, ok := n.bound[row]
	if !ok {
		return ""
	}
	if m.left != nil {
		return fmt.Sprintf(", read through row %d, bound for %s at step %d%s and never cleared",
			row, n.world.Roster().Who(m.left.client), m.left.step, inside(m.left.place))
	}
	return fmt.Sprintf(", read through row %d, bound at step %d%s", row, m.step, inside(m.place))
}

// inside shows a place in the source, if it is known: a witness was not there.
func inside(place string) string {
	if place == "" {
		return ""
	}
	return " (" + place + ")"
}
