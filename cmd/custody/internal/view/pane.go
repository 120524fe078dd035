package view

import (
	"fmt"
	"strings"

	"custody/cache"
	"custody/cmd/custody/internal/term"
	"custody/sim"
	"custody/sim/explain"
	"custody/traces"
)

// pane puts one frame of a run into lines for a person.
type pane struct {
	paint  *term.Painter
	script *traces.Script
	frame  *explain.Frame
	focus  focus
}

func newPane(s *traces.Script, f *explain.Frame, who focus) *pane {
	return &pane{term.NewPainter(s).Through(s.Events[:f.Line+1]), s, f, who}
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
		lines = append(lines, p.paint.Line(p.script.Events[f.Line].String()))
	}
	broken := 0
	for _, note := range f.Notes {
		if strings.HasPrefix(note, "BROKEN ") {
			if broken++; brief && broken > 1 {
				continue
			}
		}
		text := strings.Replace(p.paint.Line(note), "BROKEN", term.Bold.Sprint("BROKEN"), 1)
		lines = append(lines, term.Faint.Sprint(">")+" "+text)
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
			lines = append(append(lines, term.Faint.Sprint(part.title)), part.lines...)
		}
	}
	return lines
}

func (p *pane) party(x sim.Party) string { return p.paint.Tenant(x.Tenant, x.String()) }

func (p *pane) parties(list []sim.Party) string {
	var words []string
	for _, x := range list {
		words = append(words, p.party(x))
	}
	return strings.Join(words, " ")
}

func (p *pane) tenant(name string) string { return p.paint.Tenant(name, name) }

// some shows the first blocks of a list, and how many there are more.
func some(list []cache.BlockID) string {
	const most = 24
	if len(list) <= most {
		return fmt.Sprint(list)
	}
	return fmt.Sprintf("%v and %d more", list[:most], len(list)-most)
}
