// Package view shows the state of a run after one of its steps: once, or on the terminal, where keys go on and back.
package view

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"custody/cmd/custody/internal/exit"
	"custody/cmd/custody/internal/source"
	"custody/cmd/custody/internal/term"
	"custody/sim"
	"custody/sim/explain"
	"custody/traces"
)

// Run steps through a run on the terminal.
func Run(c *term.Console, src *source.Source, step uint64, only string) error {
	if !c.OutIsTTY {
		return fmt.Errorf("--view needs a terminal, and standard output is none\nnext: %s --at %d", src.Command("replay"), step)
	}
	rec, err := explain.Record(src.Script, sim.ExecuteOptions{})
	if err != nil {
		return err
	}
	v := newView(src.Script, rec)
	v.focus = onlyOn(only)
	if err := v.goTo(int64(step)); err != nil {
		return exit.Usagef("--at: %s: %w", src.Name, err)
	}
	if _, err := tea.NewProgram(v).Run(); err != nil {
		return fmt.Errorf("the view has ended: %w", err)
	}
	return src.Verdict(v.rec.Result)
}

// view is a run on the terminal: one step at a time, in both directions.
//
//	step 12 of 18, t=45: finish      where it stands
//	> …                              what the step did      ┐ scrolls,
//	blocks …  requests …  rows …     what everything holds  ┘ if it must
//	←/→ step …                       the keys, or an answer
type view struct {
	rec    *explain.Recording
	script *traces.Script
	focus  focus
	frame  *explain.Frame

	width, height int
	scroll        int
	question      question
	typed         string
	answer        string // shown instead of the keys until the next one
	help          bool
}

// question is what a person is being asked.
type question uint8

const (
	noQuestion question = iota
	whichStep
	whomToFollow
)

var questions = [...]string{whichStep: "step: ", whomToFollow: "follow (request, tenant or block): "}

// newView looks at the moment before the first step, in a window of the usual size until the terminal tells its own.
func newView(s *traces.Script, rec *explain.Recording) *view {
	v := &view{rec: rec, script: s, width: 80, height: 24}
	v.frame, _ = rec.At(0)
	return v
}

// goTo looks at another step.
func (v *view) goTo(step int64) error {
	f, err := v.rec.At(step)
	if err == nil {
		v.frame = f
	}
	return err
}

// Init implements tea.Model.
func (v *view) Init() tea.Cmd { return nil }

// Update implements tea.Model.
func (v *view) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		v.width, v.height = msg.Width, msg.Height
	case tea.KeyPressMsg:
		return v, v.press(msg)
	}
	return v, nil
}

// View implements tea.Model.
func (v *view) View() tea.View {
	out := tea.NewView(strings.Join(v.lines(), "\n"))
	out.AltScreen = true
	return out
}

// lines is what stands in the window, cut to its size.
func (v *view) lines() []string {
	body := v.body()
	v.scroll = max(0, min(v.scroll, len(body)-v.room()))
	body = body[v.scroll:min(len(body), v.scroll+v.room())]
	lines := append([]string{v.title()}, body...)
	for len(lines) < v.height-1 {
		lines = append(lines, "")
	}
	lines = append(lines, v.foot())
	lines = lines[:max(0, min(len(lines), v.height))]
	for i := range lines {
		lines[i] = ansi.Truncate(lines[i], v.width, "…")
	}
	return lines
}

// room is the number of lines between the first and the last one.
func (v *view) room() int { return max(0, v.height-2) }

func (v *view) title() string {
	p := newPane(v.script, v.frame, v.focus)
	text := p.title(v.rec.Last)
	if now, _ := p.broken(); len(now) > 0 {
		text += term.Bold.Sprint("  BROKEN " + now[0])
	}
	if v.focus.kind != everything {
		text += "  following " + v.focus.String()
	}
	return text
}

// body is all that could be shown between the first and the last line: what is told is wrapped, tables are cut.
func (v *view) body() (lines []string) {
	if v.help {
		return strings.Split(helpText, "\n")
	}
	p := newPane(v.script, v.frame, v.focus)
	for _, line := range p.told(true) {
		lines = append(lines, strings.Split(ansi.Wrap(line, max(1, v.width), ""), "\n")...)
	}
	return append(lines, p.world()...)
}

// foot is the last line: a question, an answer, or the keys.
func (v *view) foot() string {
	switch {
	case v.question != noQuestion:
		return questions[v.question] + v.typed + "_"
	case v.answer != "":
		return v.answer
	}
	more := ""
	if below := len(v.body()) - v.scroll - v.room(); below > 0 || v.scroll > 0 {
		more = "↑/↓ scroll  "
	}
	return term.Faint.Sprint("←/→ step  " + more + "b breach  f follow  ? help  q quit")
}
