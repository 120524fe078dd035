package museum

import (
	"fmt"
	"strings"
)

// Museum is what a measured museum holds, in the order of the files.
type Museum struct {
	Exhibits []*Exhibit
	Controls []*Control
	Seeds    int // of each campaign
	Kills    []*Kill
	Silences []*Silence
}

// The marks in docs/museum.md between which the tables stand.
const (
	TablesBegin = "<!-- tables: written by `go run ./cmd/custody-museum measure --write docs/museum.md` -->\n"
	TablesEnd   = "<!-- end of tables -->\n"
)

// Tables prints what docs/museum.md says of each exhibit, pair and control. Everything but the numbers of seeds, lines and
// steps comes from the files.
func (m *Museum) Tables() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n## Exhibits\n\nMeasured over seeds from 1 to %d, or until %d of them had detected the exhibit.\n\n", m.Seeds, enoughGaps)
	m.exhibits(&b)
	b.WriteString("\n## The fix that plants the next bug\n\n")
	m.pairs(&b)
	fmt.Fprintf(&b, "\n## Controls\n\nMeasured over the first %d seeds.\n\n", m.Seeds)
	m.controls(&b)
	return b.String()
}

func (m *Museum) exhibits(b *strings.Builder) {
	b.WriteString("| exhibit | family | breaks first | seeds: median | 95% | any promise: median | detecting seeds | lines | steps | report |\n")
	b.WriteString("|---|---|---|--:|--:|--:|--:|--:|--:|---|\n")
	for i, x := range m.Exhibits {
		k := m.Kills[i]
		fmt.Fprintf(b, "| %s | %s | `%s` | %d | %d | %d | %d | %d | %d | %s |\n",
			file("exhibits", x.ID), x.Family, x.Promise, k.Median, k.P95, k.Any, k.Found, k.Lines, k.Steps, link(x.Report))
	}
}

// pairs lists the exhibits whose fix is an exhibit.
func (m *Museum) pairs(b *strings.Builder) {
	b.WriteString("| the bug | breaks | its fix | breaks |\n|---|---|---|---|\n")
	for _, x := range m.Exhibits {
		for _, y := range m.Exhibits {
			if y.ID == x.FixedBy {
				fmt.Fprintf(b, "| %s, %s | `%s` | %s, %s | `%s` |\n",
					file("exhibits", x.ID), link(x.Report), x.Promise, file("exhibits", y.ID), link(y.Report), y.Promise)
			}
		}
	}
}

func (m *Museum) controls(b *strings.Builder) {
	b.WriteString("| correct variant | looks as if it broke | first seed that breaks a promise | its canary is caught at seed | report |\n")
	b.WriteString("|---|---|---|--:|---|\n")
	for i, c := range m.Controls {
		s := m.Silences[i]
		broken := "none"
		if s.Broken > 0 {
			broken = fmt.Sprint(s.Broken)
		}
		fmt.Fprintf(b, "| %s | `%s` | %s | %d | %s |\n", file("controls", c.ID), c.Looks, broken, s.Canary, link(c.Source))
	}
}

// file is a link from docs to a file of the museum.
func file(dir, id string) string {
	return fmt.Sprintf("[%s](../sim/museum/%s/%s.txt)", id, dir, id)
}

// link is a link to a public report, by the words that people use for it: vllm#32255.
func link(url string) string {
	parts := strings.Split(url, "/")
	if len(parts) < 4 {
		return url
	}
	return fmt.Sprintf("[%s#%s](%s)", parts[len(parts)-3], parts[len(parts)-1], url)
}
