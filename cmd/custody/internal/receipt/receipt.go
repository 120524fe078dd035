// Package receipt prints from whose KV the output tokens of a request were computed.
package receipt

import (
	"fmt"
	"strings"

	"custody/cmd/custody/internal/exit"
	"custody/cmd/custody/internal/source"
	"custody/cmd/custody/internal/term"
	"custody/invariants"
	"custody/sim"
	"custody/sim/explain"
)

// Detail says how much of a receipt is shown.
type Detail struct {
	Token uint64 // only this output token, from 1; 0: all
	Heads bool   // by layer and head
}

// Print runs a script and prints a request's receipt.
func Print(c *term.Console, src *source.Source, name string, o Detail) error {
	m, err := sim.NewTransformer()
	if err != nil {
		return err
	}
	src.Model = m
	r, res, err := explain.Receipts(src.Script, sim.ExecuteOptions{Model: m}, name)
	if err != nil {
		return fmt.Errorf("%s: %w", src.Name, err)
	}
	if o.Token > uint64(len(r.Tokens)) {
		return fmt.Errorf("%s: %s has %s, there is no token %d",
			src.Name, name, term.Plural(int64(len(r.Tokens)), "output token"), o.Token)
	}
	if len(r.Tokens) == 0 {
		fmt.Fprintf(c.Out, "no token was sampled for %s\nnext: %s --only %s\n", name, src.Command("replay"), term.ShellWord(name))
	}
	w := writer{Console: c, Receipt: r, model: m, paint: term.NewPainter(src.Script).Through(src.Script.Events), heads: o.Heads}
	w.write(o.Token)
	if !res.OK() {
		fmt.Fprintf(c.Out, "\n%s\nnext: %s\n", w.paint.Line(res.Message(0)), src.Command("replay"))
		return exit.ErrBroken
	}
	return nil
}

// writer prints a receipt for a person.
type writer struct {
	*term.Console
	*explain.Receipt
	model *sim.WorkerModel
	paint *term.Painter
	heads bool
}

// write prints the answer with a line for each token, or one token's receipt in full, or with heads all of them.
func (w *writer) write(token uint64) {
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

func (w *writer) token(i int) {
	t := &w.Tokens[i]
	unsent := ""
	if !t.Sent {
		unsent = "; the client never got it"
	}
	fmt.Fprintf(w.Out, "step %d: token %d of %s is %s, computed from %s%s\n", t.Step, i+1,
		w.paint.Line(w.Name+" ("+w.Tenant+")"), w.model.Word(t.Token), term.Plural(int64(t.Pos), "position"), unsent)
	for j := range t.Sources {
		w.source(&t.Sources[j])
	}
	fmt.Fprintf(w.Out, "  most of one position: %s\n", w.top(&t.Top))
}

// barWidth is the width of a whole bar.
const barWidth = 40

func (w *writer) source(s *explain.Source) {
	bar := strings.Repeat("█", int(s.Share*barWidth+0.5))
	fmt.Fprintf(w.Out, "  %6s %s %s\n", percent(s.Share),
		w.paint.Tenant(s.Tenant, bar+strings.Repeat("·", barWidth-len([]rune(bar)))), w.origin(s))
	if !w.heads {
		return
	}
	for layer, heads := range s.Heads {
		fmt.Fprintf(w.Out, "         layer %d:", layer)
		for _, share := range heads {
			fmt.Fprintf(w.Out, " %s", percent(share))
		}
		fmt.Fprintln(w.Out)
	}
}

// origin is who wrote a source's slots, in words.
func (w *writer) origin(s *explain.Source) string {
	slots := term.Plural(int64(s.Slots), "slot")
	switch {
	case s.Poisoned:
		return slots + " that nobody wrote since they were freed"
	case s.Name == "":
		return slots + " that nobody wrote"
	}
	return slots + " written by " + w.paint.Line(s.Name+" ("+s.Tenant+")") + relationWords[s.Relation]
}

var relationWords = map[invariants.Relation]string{
	invariants.RelSelf:    ", itself",
	invariants.RelEarlier: ", its earlier life",
	invariants.RelDomain:  ", of the same tenant",
	invariants.RelOther:   ", of another tenant",
}

func percent(share float64) string { return fmt.Sprintf("%.1f%%", 100*share) }
