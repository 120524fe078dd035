package view

import (
	"fmt"
	"strings"

	"custody/cmd/custody/internal/term"
	"custody/sim"
	"custody/sim/explain"
)

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
	lines := term.Columns(rows)
	for _, state := range states {
		lines = append(lines, "  "+state+": "+strings.Join(through[state], ", "))
	}
	return lines
}

func (p *pane) counts(x *explain.RequestFrame) string {
	text := fmt.Sprintf("planned %d, settled %d, good %d", x.Planned, x.Settled, x.Valid)
	if len(x.Table) > 0 {
		text += ", blocks " + some(x.Table)
	}
	if x.Row >= 0 {
		text += fmt.Sprintf(", row %d", x.Row)
	}
	return text
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
	return term.Columns(rows)
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
