package sim

import (
	"fmt"

	"custody/invariants"
	"custody/traces/shrink"
)

// What a breach says to a person: who, whose, where, and what went before.

// Outcome is the result in the words of the shrinker.
func (r *Result) Outcome() shrink.Outcome {
	out := shrink.Outcome{Noop: r.Noop, Steps: int(r.Work.Steps)}
	for i := range r.Breaches {
		b := &r.Breaches[i]
		out.Failures = append(out.Failures, shrink.Failure{
			Identity: r.Identity(b), Step: int(b.Step), Last: r.Last[i], Names: r.Names(i),
		})
	}
	return out
}

// Identity says when two breaches are the same failure.
func (r *Result) Identity(b *invariants.Breach) shrink.Identity {
	id := shrink.Identity{
		Promise: r.PromiseName(b), Event: StepKind(b.Event).String(), Relation: b.Relation.String(), Slot: b.Slot.String(),
	}
	if b.Promise == invariants.Alive {
		id.Crash = b.Detail
	}
	return id
}

// PromiseName is the stable name of a broken promise.
func (r *Result) PromiseName(b *invariants.Breach) string { return r.world.PromiseName(b) }

// Names are the requests involved in the i-th breach, the reader first.
func (r *Result) Names(i int) []string { return r.world.account.blamed[i] }

// Message says in words what the i-th breach was. Package explain says also at which step and where in the source.
func (r *Result) Message(i int) string { return r.world.Sentence(&r.Breaches[i], nil) }

// PromiseName is the stable name of a broken promise.
func (w *World) PromiseName(b *invariants.Breach) string {
	if b.Extra > 0 {
		return w.account.promises[b.Extra-1].ID()
	}
	return invariants.Statements[b.Promise].Name
}

// Places knows what came before a breach: each answer is an addition to its sentence, or nothing.
type Places interface {
	Written(b *invariants.Breach) string // when the slot was
	Given(b *invariants.Breach) string   // where the block was handed out
	Through(b *invariants.Breach) string // where the block was freed, and the row bound that read it
}

// Sentence says in words what a breach was. Places may be nil.
func (w *World) Sentence(b *invariants.Breach, p Places) string {
	switch {
	case b.Extra > 0 || b.Promise == invariants.Alive:
		return b.Detail
	case b.Pos >= 0 && b.Slot != invariants.SlotNone:
		return slotSentence(b, w.roster, w.cfg.layout.BlockTokens, p)
	}
	text := b.Detail
	if b.Reader >= 0 {
		text = w.roster.Who(b.Reader) + ": " + text
	}
	if b.Block >= 0 {
		given := ""
		if p != nil {
			given = p.Given(b)
		}
		text += fmt.Sprintf(" (block %d%s)", b.Block, given)
	}
	if b.Writer >= 0 && b.Writer != b.Reader {
		text += ", " + w.roster.Who(b.Writer) + "'s"
	}
	if b.Pos >= 0 {
		text += fmt.Sprintf(" (position %d)", b.Pos)
	}
	return text
}

// slotSentence is the sentence about a slot that should not have been read.
func slotSentence(b *invariants.Breach, people *Roster, size int32, p Places) string {
	slot := int32(b.Block)*size + b.Pos%size
	text := fmt.Sprintf("%s read slot %d at position %d", people.Who(b.Reader), slot, b.Pos)
	switch {
	case b.Slot == invariants.SlotUnwritten:
		text += ", which was never written"
	case b.Slot == invariants.SlotPoisoned:
		text += ", which was never written since it was freed"
	default:
		text += ", written"
		if p != nil {
			text += p.Written(b)
		}
		text += " by " + writer(b, people)
	}
	if p != nil {
		text += p.Through(b)
	}
	return text
}

func writer(b *invariants.Breach, people *Roster) string {
	switch b.Relation {
	case invariants.RelSelf:
		return "itself for other tokens"
	case invariants.RelEarlier:
		return "its own earlier life"
	}
	return people.Who(b.Writer)
}
