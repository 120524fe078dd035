package main

import (
	"fmt"
	"strings"

	"custody/invariants"
	"custody/sim"
)

// receiptDetail says how much of a receipt is shown.
type receiptDetail struct {
	token uint64 // only this output token, from 1; 0: all
	heads bool   // by layer and head
}

// receipt runs a script and prints a request's receipt.
func receipt(c *console, src *source, name string, o receiptDetail) error {
	m, err := newTransformer()
	if err != nil {
		return err
	}
	src.model = m
	r, res, err := sim.Receipts(src.script, m, name)
	if err != nil {
		return fmt.Errorf("%s: %w", src.name, err)
	}
	if o.token > uint64(len(r.Tokens)) {
		return fmt.Errorf("%s: %s has %s, there is no token %d", src.name, name, plural(int64(len(r.Tokens)), "output token"), o.token)
	}
	if len(r.Tokens) == 0 {
		fmt.Fprintf(c.out, "no token was sampled for %s\nnext: %s --only %s\n", name, src.command("replay"), shellWord(name))
	}
	w := receiptWriter{console: c, Receipt: r, model: m, paint: newPainter(src.script).through(src.script.Events), heads: o.heads}
	w.write(o.token)
	if !res.OK() {
		fmt.Fprintf(c.out, "\n%s\nnext: %s\n", w.paint.line(res.Message(0)), src.command("replay"))
		return errBroken
	}
	return nil
}

// receiptWriter prints a receipt for a person.
type receiptWriter struct {
	*console
	*sim.Receipt
	model *sim.Model
	paint *painter
	heads bool
}

// write prints the answer with a line for each token, or one token's receipt in full, or with heads all of them.
func (w *receiptWriter) write(token uint64) {
	whole := token > 0 || w.heads
	if !whole && len(w.Tokens) > 0 {
		w.answer()
	}
	for i := range w.Tokens {
		switch {
		case !whole:
			w.line(i)
		case token == 0 || token == uint64(i+1):
			w.token(i)
		}
	}
}

func (w *receiptWriter) token(i int) {
	t := &w.Tokens[i]
	unsent := ""
	if !t.Sent {
		unsent = "; the client never got it"
	}
	fmt.Fprintf(w.out, "step %d: token %d of %s is %s, computed from %s%s\n", t.Step, i+1,
		w.paint.line(w.Name+" ("+w.Tenant+")"), w.model.Word(t.Token), plural(int64(t.Pos), "position"), unsent)
	for j := range t.Sources {
		w.source(&t.Sources[j])
	}
	fmt.Fprintf(w.out, "  most of one position: %s\n", w.top(&t.Top))
}

// barWidth is the width of a whole bar.
const barWidth = 40

func (w *receiptWriter) source(s *sim.Source) {
	bar := strings.Repeat("█", int(s.Share*barWidth+0.5))
	fmt.Fprintf(w.out, "  %6s %s %s\n", percent(s.Share), w.paint.tenant(s.Tenant, bar+strings.Repeat("·", barWidth-len([]rune(bar)))), w.origin(s))
	if !w.heads {
		return
	}
	for layer, heads := range s.Heads {
		fmt.Fprintf(w.out, "         layer %d:", layer)
		for _, share := range heads {
			fmt.Fprintf(w.out, " %s", percent(share))
		}
		fmt.Fprintln(w.out)
	}
}

// origin is who wrote a source's slots, in words.
func (w *receiptWriter) origin(s *sim.Source) string {
	slots := plural(int64(s.Slots), "slot")
	switch {
	case s.Poisoned:
		return slots + " that nobody wrote since they were freed"
	case s.Name == "":
		return slots + " that nobody wrote"
	}
	return slots + " written by " + w.paint.line(s.Name+" ("+s.Tenant+")") + relationWords[s.Relation]
}

var relationWords = map[invariants.Relation]string{
	invariants.RelSelf:    ", itself",
	invariants.RelEarlier: ", its earlier life",
	invariants.RelDomain:  ", of the same tenant",
	invariants.RelOther:   ", of another tenant",
}

func percent(share float64) string { return fmt.Sprintf("%.1f%%", 100*share) }
