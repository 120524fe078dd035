package receipt

import (
	"fmt"
	"slices"
	"strings"

	"custody/invariants"
	"custody/sim/explain"
)

// answer prints what a request asked and was told, and under the answer whose KV mattered most for each character.
func (w *writer) answer() {
	who := w.paint.Line(w.Name + " (" + w.Tenant + ")")
	fmt.Fprintf(w.Out, "%s asked     %s\n%s was told  ", who, w.paint.Tenant(w.Tenant, asked(w.Prompt)), who)
	sent := w.sent()
	for i := range sent {
		fmt.Fprint(w.Out, w.paint.Tenant(sent[i].Top.Tenant, visible(sent[i].Token)))
	}
	fmt.Fprintln(w.Out)
	indent := strings.Repeat(" ", len(w.Name)+len(w.Tenant)+len(" () was told  "))
	for _, tenant := range w.others(sent) {
		line := ""
		for i := range sent {
			mark := " "
			if sent[i].Top.Tenant == tenant {
				mark = "^"
			}
			line += mark
		}
		fmt.Fprintf(w.Out, "%s%s most from %s\n", indent, w.paint.Tenant(tenant, line), w.paint.Tenant(tenant, tenant))
	}
	fmt.Fprintln(w.Out)
}

// sent are the tokens that make the answer.
func (w *writer) sent() []explain.TokenReceipt {
	return slices.DeleteFunc(slices.Clone(w.Tokens), func(t explain.TokenReceipt) bool { return !t.Sent })
}

// others are the other tenants whose KV mattered most for some token, in the order of the tokens.
func (w *writer) others(tokens []explain.TokenReceipt) []string {
	var names []string
	seen := map[string]bool{"": true, w.Tenant: true}
	for i := range tokens {
		if t := tokens[i].Top.Tenant; !seen[t] {
			names, seen[t] = append(names, t), true
		}
	}
	return names
}

// asked is the last line of a prompt but for where the answer begins: what a person would call the question.
func asked(prompt []int32) string {
	lines := strings.Split(strings.TrimSpace(textOf(prompt)), "\n")
	if n := len(lines); n > 1 && strings.HasPrefix(lines[n-2], "Q: ") {
		return lines[n-2]
	}
	return lines[len(lines)-1]
}

func textOf(tokens []int32) string {
	var b strings.Builder
	for _, t := range tokens {
		if t == '\n' {
			b.WriteByte('\n')
		} else if t != 1 { // begins a text, and is none
			b.WriteString(visible(t))
		}
	}
	return b.String()
}

// visible is a token as one character.
func visible(t int32) string {
	if t >= ' ' && t < 127 {
		return string(rune(t))
	}
	return "·"
}

// shortBar is the width of the bar in a token's line.
const shortBar = 20

// line prints a token's receipt on one line: in the bar first what its own tenant wrote.
func (w *writer) line(i int) {
	t := &w.Tokens[i]
	own, others, foreign := "", "", 0.0
	for j := range t.Sources {
		s := &t.Sources[j]
		n := int(s.Share*shortBar + 0.5)
		if s.Relation == invariants.RelOther || s.Name == "" {
			others += w.paint.Tenant(s.Tenant, strings.Repeat("▒", n))
			foreign += s.Share
		} else {
			own += w.paint.Tenant(s.Tenant, strings.Repeat("█", n))
		}
	}
	unsent := ""
	if !t.Sent {
		unsent = "; never sent"
	}
	fmt.Fprintf(w.Out, "%4d  %s  %s%s  %6s foreign  most: %s%s\n",
		i+1, visible(t.Token), own, others, percent(foreign), w.top(&t.Top), unsent)
}

func (w *writer) top(p *explain.Spot) string {
	if p.Name == "" {
		return fmt.Sprintf("%s at %d, by nobody", percent(p.Share), p.Pos)
	}
	return fmt.Sprintf("%s at %d, written for %s by %s", percent(p.Share), p.Pos, w.model.Word(p.Token),
		w.paint.Line(p.Name+" ("+p.Tenant+")"))
}
