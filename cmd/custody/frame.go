package main

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"custody/cache"
	"custody/invariants"
	"custody/sim"
	"custody/traces"
)

// pane puts one frame of a run into lines for a person.
type pane struct {
	paint  *painter
	script *traces.Script
	frame  *sim.Frame
	focus  focus
}

func newPane(s *traces.Script, f *sim.Frame, who focus) *pane {
	return &pane{newPainter(s).through(s.Events[:f.Line+1]), s, f, who}
}

// title is where the frame stands in the run.
func (p *pane) title(last int64) string {
	f := p.frame
	text := fmt.Sprintf("step %d of %d, t=%d", f.Step, last, f.Time)
	if f.Step == 0 {
		return text + ": before the first step"
	}
	return text + ": " + f.Kind
}

// told is the line of the script, what the step did, and which promises are broken by now. In brief, only the first
// promise that the step breaks is told in full.
func (p *pane) told(brief bool) (lines []string) {
	f := p.frame
	if f.Line >= 0 {
		lines = append(lines, p.paint.line(p.script.Events[f.Line].String()))
	}
	broken := 0
	for _, note := range f.Notes {
		if strings.HasPrefix(note, "BROKEN ") {
			if broken++; brief && broken > 1 {
				continue
			}
		}
		text := strings.Replace(p.paint.line(note), "BROKEN", bold.Sprint("BROKEN"), 1)
		lines = append(lines, faint.Sprint(">")+" "+text)
	}
	now, before := p.broken()
	if brief && len(now) > 1 {
		lines = append(lines, "broken with it: "+strings.Join(now[1:], ", "))
	}
	if len(before) > 0 {
		lines = append(lines, "broken before: "+strings.Join(before, ", "))
	}
	return lines
}

// broken are the promises that the step has broken, and those that were broken before.
func (p *pane) broken() (now, before []string) {
	for _, b := range p.frame.Breaches {
		if b.Step == p.frame.Step {
			now = append(now, b.Promise)
		} else {
			before = append(before, fmt.Sprintf("%s at step %d", b.Promise, b.Step))
		}
	}
	return now, before
}

// world is what everything holds.
func (p *pane) world() (lines []string) {
	for _, part := range []struct {
		title string
		lines []string
	}{
		{"blocks", p.blocks()},
		{"requests", p.requests()},
		{"rows, as the worker has them", p.rows()},
		{"under way", p.underWay()},
		{"lists, as the engine has them", p.lists()},
	} {
		if len(part.lines) > 0 {
			lines = append(append(lines, faint.Sprint(part.title)), part.lines...)
		}
	}
	return lines
}

func (p *pane) party(x sim.Party) string {
	if c := p.paint.tenants[x.Tenant]; c != nil {
		return c.Sprint(x.String())
	}
	return x.String()
}

func (p *pane) parties(list []sim.Party) string {
	var words []string
	for _, x := range list {
		words = append(words, p.party(x))
	}
	return strings.Join(words, " ")
}

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
	return columns(rows)
}

func isUnused(x *sim.BlockFrame) bool {
	return !x.Held && !x.Findable && len(x.Spans) == 1 && x.Spans[0].State == invariants.SlotUnwritten && !x.Spans[0].Torn
}

func (p *pane) touchesOf(b cache.BlockID) (list []sim.Touch) {
	for _, t := range p.frame.Touches {
		if t.Block == b {
			list = append(list, t)
		}
	}
	return list
}

// custody is who answers for a block.
func (p *pane) custody(x *sim.BlockFrame) string {
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
func (p *pane) publisher(x *sim.BlockFrame) string {
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
func (p *pane) content(x *sim.BlockFrame) string {
	var words []string
	for _, s := range x.Spans {
		words = append(words, p.span(&s, len(x.Spans) == 1))
	}
	return strings.Join(words, " ")
}

func (p *pane) span(s *sim.Span, whole bool) string {
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
func (p *pane) touched(list []sim.Touch) string {
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

// requests is a line for each request that lives, and one for all that do not in each way.
func (p *pane) requests() []string {
	var rows [][]string
	through, states := map[string][]string{}, []string{}
	for i := range p.frame.Requests {
		x := &p.frame.Requests[i]
		if !p.focus.hasRequest(x) {
			continue
		}
		name := p.party(x.Party) + " (" + p.tenant(x.Tenant) + ")"
		if x.Live {
			rows = append(rows, []string{"  " + name, x.State, fmt.Sprintf("%d+%d tokens", x.Prompt, x.Delivered), p.counts(x)})
			continue
		}
		if through[x.State] == nil {
			states = append(states, x.State)
		}
		through[x.State] = append(through[x.State], name)
	}
	lines := columns(rows)
	for _, state := range states {
		lines = append(lines, "  "+state+": "+strings.Join(through[state], ", "))
	}
	return lines
}

func (p *pane) counts(x *sim.RequestFrame) string {
	text := fmt.Sprintf("planned %d, settled %d, good %d", x.Planned, x.Settled, x.Valid)
	if len(x.Table) > 0 {
		text += ", blocks " + some(x.Table)
	}
	if x.Row >= 0 {
		text += fmt.Sprintf(", row %d", x.Row)
	}
	return text
}

func (p *pane) tenant(name string) string {
	if c := p.paint.tenants[name]; c != nil {
		return c.Sprint(name)
	}
	return name
}

func (p *pane) rows() []string {
	var rows [][]string
	for i := range p.frame.Rows {
		x := &p.frame.Rows[i]
		if p.focus.kind != everything && !p.focus.is(x.Party) {
			continue
		}
		who := "free"
		if x.Bound {
			who = "bound to " + p.party(x.Party)
		}
		if !x.Bound && len(x.Table) == 0 && x.Computed == 0 {
			continue
		}
		rows = append(rows, []string{"  " + fmt.Sprint(i), who, fmt.Sprintf("computed %d, blocks %s", x.Computed, some(x.Table))})
	}
	return columns(rows)
}

// underWay are operations, and messages to clients.
func (p *pane) underWay() (lines []string) {
	for i := range p.frame.Operations {
		x := &p.frame.Operations[i]
		if p.focus.kind != everything && !p.focus.isAny(x.Rows) {
			continue
		}
		state := fmt.Sprintf("due t=%d", x.Due)
		if x.Lost {
			state = "lost"
		} else if x.Finished {
			state = "finished"
		}
		lines = append(lines, fmt.Sprintf("  op%d, a %s of %s, %s", x.Op, x.Queue, p.parties(x.Rows), state))
	}
	for _, m := range p.frame.Mail {
		if p.focus.kind == everything || p.focus.is(m.To) {
			lines = append(lines, fmt.Sprintf("  to %s, due t=%d: %s", p.party(m.To), m.Due, m.Text))
		}
	}
	return lines
}

func (p *pane) lists() (lines []string) {
	if p.focus.kind != everything {
		return nil
	}
	for _, l := range []struct {
		name string
		list []sim.Party
	}{{"waiting", p.frame.Waiting}, {"running", p.frame.Running}} {
		if len(l.list) > 0 {
			lines = append(lines, "  "+l.name+" "+p.parties(l.list))
		}
	}
	if len(p.frame.Free) > 0 {
		lines = append(lines, "  free, next first "+some(p.frame.Free))
	}
	return lines
}

// some shows the first blocks of a list, and how many there are more.
func some(list []cache.BlockID) string {
	const most = 24
	if len(list) <= most {
		return fmt.Sprint(list)
	}
	return fmt.Sprintf("%v and %d more", list[:most], len(list)-most)
}

// columns puts the cells of each column under one another.
func columns(rows [][]string) (lines []string) {
	width := map[int]int{}
	for _, row := range rows {
		for i, cell := range row {
			width[i] = max(width[i], ansi.StringWidth(cell))
		}
	}
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			line += cell + strings.Repeat(" ", width[i]-ansi.StringWidth(cell)+2)
		}
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return lines
}
