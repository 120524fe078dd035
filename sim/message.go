package sim

import (
	"fmt"

	"custody/invariants"
	"custody/traces"
	"custody/traces/shrink"
)

// What a breach says to a person: who, whose, where, and what went before.

// Outcome is the result in the words of the shrinker. Messages are only there if the run was narrated.
func (r *Result) Outcome() shrink.Outcome {
	out := shrink.Outcome{Noop: r.Noop, Steps: int(r.Work.Steps)}
	for i := range r.Breaches {
		b := &r.Breaches[i]
		out.Failures = append(out.Failures, shrink.Failure{
			Identity: r.Identity(b), Step: int(b.Step), Last: r.Last[i], Names: r.names(i),
		})
		if r.world.teller != nil {
			out.Failures[i].Message = r.Message(i)
		}
	}
	return out
}

// Identity says when two breaches are the same failure.
func (r *Result) Identity(b *invariants.Breach) shrink.Identity {
	id := shrink.Identity{
		Promise: r.PromiseName(b), Event: Kind(b.Event).String(), Relation: b.Relation.String(), Slot: b.Slot.String(),
	}
	if b.Promise == invariants.Alive {
		id.Crash = b.Detail
	}
	return id
}

// PromiseName is the stable name of a broken promise.
func (r *Result) PromiseName(b *invariants.Breach) string { return r.world.promiseName(b) }

func (w *world) promiseName(b *invariants.Breach) string {
	if b.Extra > 0 {
		return w.promises[b.Extra-1].ID()
	}
	return invariants.Statements[b.Promise].Name
}

// names are the requests involved in the i-th breach, the reader first.
func (r *Result) names(i int) []string { return r.world.blamed[i] }

// nameBreaches notes who is involved in new breaches: client numbers may be used again.
func (w *world) nameBreaches() {
	for breaches := w.ledger.Breaches(); len(w.blamed) < len(breaches); {
		b := &breaches[len(w.blamed)]
		var names []string
		for _, c := range []int32{b.Reader, b.Writer} {
			if n := w.clientName(c); n != nobody && (len(names) == 0 || names[0] != n) {
				names = append(names, n)
			}
		}
		w.blamed = append(w.blamed, names)
	}
}

// Message says in words what the i-th breach was. With a narrated run it names both culprits' places in the source.
func (r *Result) Message(i int) string {
	if t := r.world.teller; t != nil {
		return t.messages[i]
	}
	return r.world.describe(&r.Breaches[i])
}

// describe says in words what a breach was.
func (w *world) describe(b *invariants.Breach) string {
	switch {
	case b.Extra > 0 || b.Promise == invariants.Alive:
		return b.Detail
	case b.Pos >= 0 && b.Slot != invariants.SlotNone:
		return w.slotMessage(b)
	}
	text := b.Detail
	if b.Reader >= 0 {
		text = w.party(b.Reader) + ": " + text
	}
	if b.Block >= 0 {
		text += fmt.Sprintf(" (block %d%s)", b.Block, w.lastGiven(b))
	}
	if b.Writer >= 0 && b.Writer != b.Reader {
		text += ", " + w.party(b.Writer) + "'s"
	}
	if b.Pos >= 0 {
		text += fmt.Sprintf(" (position %d)", b.Pos)
	}
	return text
}

func (w *world) party(c int32) string {
	return fmt.Sprintf("%s (%s)", w.clientName(c), w.tenantName(c))
}

// slotMessage is the sentence about a slot that should not have been read.
func (w *world) slotMessage(b *invariants.Breach) string {
	size := w.cache.Layout.BlockTokens
	slot := int32(b.Block)*size + b.Pos%size
	text := fmt.Sprintf("%s read slot %d at position %d", w.party(b.Reader), slot, b.Pos)
	t := w.teller
	switch {
	case b.Slot == invariants.SlotUnwritten:
		text += ", which was never written"
	case b.Slot == invariants.SlotPoisoned:
		text += ", which was never written since it was freed"
	default:
		text += ", written"
		if t != nil {
			text += fmt.Sprintf(" at step %d", t.wrote[slotAt{b.Block, b.Pos % size}].step)
		}
		text += " by " + w.writer(b)
	}
	return text + w.culprits(b)
}

func (w *world) writer(b *invariants.Breach) string {
	switch b.Relation {
	case invariants.RelSelf:
		return "itself for other tokens"
	case invariants.RelEarlier:
		return "its own earlier life"
	}
	return w.party(b.Writer)
}

// culprits says where the block was freed and where the row was bound.
func (w *world) culprits(b *invariants.Breach) string {
	t := w.teller
	if t == nil {
		return ""
	}
	text := ""
	if m, ok := t.freed[b.Block]; ok {
		text += fmt.Sprintf(", freed at step %d (%s)", m.step, m.place)
	}
	if row, ok := t.used[b.Reader]; ok {
		text += w.boundAt(row)
	}
	return text
}

// boundAt says where a row was bound, and to whom before if it was never cleared.
func (w *world) boundAt(row int32) string {
	m, ok := w.teller.bound[row]
	if !ok {
		return ""
	}
	if m.left != nil {
		return fmt.Sprintf(", read through row %d, bound for %s at step %d (%s) and never cleared",
			row, w.party(m.left.client), m.left.step, m.left.place)
	}
	return fmt.Sprintf(", read through row %d, bound at step %d (%s)", row, m.step, m.place)
}

func (w *world) lastGiven(b *invariants.Breach) string {
	if t := w.teller; t != nil {
		if m, ok := t.given[b.Block]; ok {
			return fmt.Sprintf(", handed out at step %d (%s)", m.step, m.place)
		}
	}
	return ""
}

// Trace is the script with what happened, if the run was narrated.
func (r *Result) Trace(s *traces.Script) *traces.Trace {
	t := &traces.Trace{Script: s, Digest: r.Digest.String()}
	if r.world.teller != nil {
		t.Notes = r.world.teller.notes
	}
	return t
}
