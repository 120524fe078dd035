package view

import (
	"fmt"
	"strings"

	"custody/cache"
	"custody/cmd/custody/internal/term"
	"custody/invariants"
	"custody/sim"
	"custody/sim/explain"
)

// blocks is a line for each block, and one for neighbours that nobody has used.
func (p *pane) blocks() []string {
	var rows [][]string
	unused := 0 // blocks in the last row, which nobody has used
	for i := range p.frame.Blocks {
		b, touched := cache.BlockID(i), p.touchesOf(cache.BlockID(i))
		x := &p.frame.Blocks[i]
		if !p.focus.hasBlock(b, x, touched) {
			unused = 0
			continue
		}
		row := []string{"  " + fmt.Sprint(b), p.custody(x), p.content(x), p.touched(touched)}
		if !isUnused(x) || len(touched) > 0 {
			unused = 0
		} else if unused++; unused > 1 {
			row[0] = fmt.Sprintf("  %d-%d", i-unused+1, i)
			rows = rows[:len(rows)-1]
		}
		rows = append(rows, row)
	}
	return term.Columns(rows)
}

func isUnused(x *explain.BlockFrame) bool {
	return !x.Held && !x.Findable && len(x.Spans) == 1 && x.Spans[0].State == invariants.SlotUnwritten && !x.Spans[0].Torn
}

func (p *pane) touchesOf(b cache.BlockID) (list []explain.Touch) {
	for _, t := range p.frame.Touches {
		if t.Block == b {
			list = append(list, t)
		}
	}
	return list
}

// custody is who answers for a block.
func (p *pane) custody(x *explain.BlockFrame) string {
	var words []string
	switch {
	case len(x.Holders) > 0:
		words = append(words, "held by "+p.parties(x.Holders))
	case !x.Held:
		words = append(words, "free")
	}
	if x.Leaving > 0 {
		words = append(words, "waits for an operation")
	}
	if x.Findable {
		words = append(words, "findable"+p.publisher(x))
	}
	return strings.Join(words, ", ")
}

// publisher is who filed a block, if that is not its only holder.
func (p *pane) publisher(x *explain.BlockFrame) string {
	text := ""
	if x.Publisher.Known() && (len(x.Holders) != 1 || x.Holders[0] != x.Publisher) {
		text = " (filed by " + p.party(x.Publisher) + ")"
	}
	if x.Pending != 0 {
		text += fmt.Sprintf(" (op%d has yet to write it)", x.Pending)
	}
	return text
}

// content is what a block's slots hold, and who wrote it.
func (p *pane) content(x *explain.BlockFrame) string {
	var words []string
	for _, s := range x.Spans {
		words = append(words, p.span(&s, len(x.Spans) == 1))
	}
	return strings.Join(words, " ")
}

func (p *pane) span(s *explain.Span, whole bool) string {
	text := s.State.String()
	switch {
	case s.State == invariants.SlotUnwritten:
		text = "never written"
	case s.Writer.Known():
		text = p.party(s.Writer)
	case s.State == invariants.SlotWritten:
		text = "written"
	}
	if s.State == invariants.SlotStale && s.Writer.Known() {
		text += "'s, stale"
	}
	if s.Torn {
		text += " (layers differ)"
	}
	if whole {
		return text
	}
	return fmt.Sprintf("[%d,%d) %s", s.Lo, s.Hi, text)
}

// touched is what the step did to a block.
func (p *pane) touched(list []explain.Touch) string {
	var words []string
	last := sim.Party{}
	for _, t := range list {
		text := t.What
		if t.By.Known() && t.By != last {
			text = p.party(t.By) + " " + text
		}
		words, last = append(words, text), t.By
	}
	if words == nil {
		return ""
	}
	return "< " + strings.Join(words, ", ")
}
