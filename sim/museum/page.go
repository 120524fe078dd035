package museum

import (
	"fmt"
	"os"
	"strings"
)

// The marks in docs/museum.md between which the tables stand.
const (
	tablesBegin = "<!-- tables: written by `go run ./cmd/custody-museum measure --write docs/museum.md` -->\n"
	tablesEnd   = "<!-- end of tables -->\n"
)

// Write puts the tables between their marks in a page.
func (m *Museum) Write(page string) error {
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(text), tablesBegin)
	_, after, ok2 := strings.Cut(rest, tablesEnd)
	if !ok || !ok2 {
		return fmt.Errorf("%s: the marks between which the tables stand are missing: %s%s", page, tablesBegin, tablesEnd)
	}
	return os.WriteFile(page, []byte(before+tablesBegin+m.tables()+tablesEnd+after), 0o644)
}

// tables prints what docs/museum.md says of each exhibit, pair and control. Everything but the numbers of seeds, lines and
// steps comes from the files.
func (m *Museum) tables() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n## Exhibits\n\nMeasured over seeds from 1 to %d, ", m.Seeds)
	fmt.Fprintf(&b, "or until %d of them had detected the exhibit.\n\n", enoughGaps)
	m.exhibits(&b)
	b.WriteString("\n## The fix that plants the next bug\n\n")
	m.pairs(&b)
	fmt.Fprintf(&b, "\n## Controls\n\nMeasured over the first %d seeds.\n\n", m.Seeds)
	m.controls(&b)
	return b.String()
}

func (m *Museum) exhibits(b *strings.Builder) {
	b.WriteString("| exhibit | family | breaks first | seeds: median | 95% | any promise: median | detecting seeds | lines | steps ")
	b.WriteString("| report |\n")
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
	b.WriteString("| correct variant | looks as if it broke | first seed that breaks a promise | its canary is caught at seed | " +
		"report |\n")
	b.WriteString("|---|---|---|--:|---|\n")
	for i, c := range m.Controls {
		s := m.Silences[i]
		broken := "none"
		if s.Broken > 0 {
			broken = fmt.Sprint(s.Broken)
		}
		fmt.Fprintf(b, "| %s | `%s` | %s | %d | %s |\n",
			file("controls", c.ID), c.Looks, broken, s.Canary, link(c.Source))
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
