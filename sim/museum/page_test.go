package museum

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var page = filepath.Join(root, "docs", "museum.md")

// The page's numbers come from campaigns of 20,000 seeds; everything else of its tables must be what the files say.
func TestThePageShowsTheExhibitsPairsAndControlsThatThereAre(t *testing.T) {
	shown := shownTables(t)
	m := measured(t, shown)
	require.Equal(t, m.tables(), shown, "the tables have changed: go run ./cmd/custody-museum measure --write docs/museum.md")
}

func TestOnlyWhatStandsBetweenTheMarksIsWrittenAnew(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.md")
	require.NoError(t, os.WriteFile(page, []byte("before\n"+tablesBegin+"old\n"+tablesEnd+"after\n"), 0o644))
	m := &Museum{}
	require.NoError(t, m.Write(page))
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	require.Equal(t, "before\n"+tablesBegin+m.tables()+tablesEnd+"after\n", string(text))

	require.NoError(t, os.WriteFile(page, []byte("a page of something else\n"), 0o644))
	require.ErrorContains(t, m.Write(page), "the marks between which the tables stand are missing")
}

func TestThePagesExhibitsAreFoundAsFastAsTheMuseumAsks(t *testing.T) {
	m := measured(t, shownTables(t))
	total := Total(m.Kills)
	require.True(t, total.OK(), "%+v", total)
	for _, s := range m.Silences {
		require.True(t, s.OK(), s.String())
	}
}

// shownTables is what stands between the marks of the page.
func shownTables(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	_, rest, ok := strings.Cut(string(text), tablesBegin)
	require.True(t, ok, "%s has lost the mark %q", page, tablesBegin)
	tables, _, ok := strings.Cut(rest, tablesEnd)
	require.True(t, ok, "%s has lost the mark %q", page, tablesEnd)
	return tables
}

// measured is the museum of the files with the numbers of the page.
func measured(t *testing.T, tables string) *Museum {
	t.Helper()
	m := opened(t)
	_, err := fmt.Sscanf(tables[strings.Index(tables, "to "):], "to %d", &m.Seeds)
	require.NoError(t, err)
	for _, x := range m.Exhibits {
		n := numbers(t, tables, "exhibits", x.ID, 6)
		m.Kills = append(m.Kills, &Kill{
			ID: x.ID, Median: n[0], P95: n[1], Any: n[2], Found: int(n[3]), Lines: int(n[4]), Steps: int64(n[5]),
		})
	}
	for _, c := range m.Controls {
		n := numbers(t, tables, "controls", c.ID, 1)
		m.Silences = append(m.Silences, &Silence{ID: c.ID, Seeds: m.Seeds, Canary: n[0]})
	}
	return m
}

// numbers is the cells of a row that hold a number and nothing else.
func numbers(t *testing.T, tables, dir, id string, want int) []uint64 {
	t.Helper()
	for _, line := range strings.Split(tables, "\n") {
		cells := strings.Split(line, " | ")
		if strings.TrimPrefix(cells[0], "| ") != file(dir, id) {
			continue
		}
		var all []uint64
		for _, c := range cells {
			if regexp.MustCompile(`^\d+$`).MatchString(c) {
				n, err := strconv.ParseUint(c, 10, 64)
				require.NoError(t, err)
				all = append(all, n)
			}
		}
		require.Len(t, all, want, line)
		return all
	}
	require.Fail(t, "the page has no row of "+id, "go run ./cmd/custody-museum measure --write docs/museum.md")
	return nil
}

func TestALinkToAReportSaysWhichItIs(t *testing.T) {
	require.Equal(t, "[vllm#32255](https://github.com/vllm-project/vllm/pull/32255)",
		link("https://github.com/vllm-project/vllm/pull/32255"))
}
