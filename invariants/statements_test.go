package invariants

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEveryPromiseHasANumberOfItsOwn(t *testing.T) {
	for id, s := range Statements {
		require.Equal(t, ID(id), s.ID, "no promise is number %d", id)
	}
}

func TestEveryMarkHasANumberOfItsOwn(t *testing.T) {
	seen := map[Mark]string{}
	for _, m := range Marks {
		require.Empty(t, seen[m.Mark], "%s has the number of another", m.Name)
		require.Less(t, m.Mark, NumMarks, m.Name)
		seen[m.Mark] = m.Name
	}
	for _, s := range Statements {
		require.LessOrEqual(t, len(s.Marks), 1<<markBits, "%s has more marks than there is room for", s.Name)
	}
}

// What go doc shows of a promise is its sentence, and what it observes, decides and says.
func TestGoDocShowsHowAPromiseIsChecked(t *testing.T) {
	docs := comments(t)
	for _, s := range Statements {
		want := `^\w+ promises: ` + regexp.QuoteMeta(s.Sentence) + `\.\n\nObserves: .+\.\n\nDecides: .+\.\n\nSays: .+\.$`
		require.Regexp(t, want, docs[s.ID], "the comment of %s", s.Name)
	}
}

var numbered = regexp.MustCompile(`(?m)((?:^//.*\n)+)^const \w+ ID = (\d+)$`)

// comments are those of the promises' numbers, with every paragraph on a line.
func comments(t *testing.T) map[ID]string {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	list := map[ID]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range numbered.FindAllStringSubmatch(string(text), -1) {
			id, err := strconv.Atoi(m[2])
			require.NoError(t, err)
			var paragraphs []string
			for _, p := range strings.Split(m[1], "//\n") {
				paragraphs = append(paragraphs, strings.Join(strings.Fields(strings.ReplaceAll(p, "// ", "")), " "))
			}
			list[ID(id)] = strings.Join(paragraphs, "\n\n")
		}
	}
	return list
}
