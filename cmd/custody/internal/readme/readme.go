// Package readme is for the command's tests: what the README shows is what the command prints.
package readme

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/sim/museum"
)

// Root is the folder of the module.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	require.NoError(t, err)
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		require.NotEqual(t, filepath.Dir(dir), dir, "no folder above this one holds a go.mod")
		dir = filepath.Dir(dir)
	}
}

// Text is the README.
func Text(t testing.TB) string {
	t.Helper()
	return Read(t, "README.md")
}

// Read is the text of a file of the repository.
func Read(t testing.TB, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(Root(t), filepath.FromSlash(file)))
	require.NoError(t, err)
	return string(text)
}

// Block is what stands in the README, in the fence after a marker.
func Block(t testing.TB, marker string) string {
	t.Helper()
	return BlockOf(t, Text(t), marker)
}

// BlockOf is what stands in a page, in the fence after a marker.
func BlockOf(t testing.TB, page, marker string) string {
	t.Helper()
	m := regexp.MustCompile("(?s)" + regexp.QuoteMeta(marker) + "\n```[a-z]*\n(.*?)```").FindStringSubmatch(page)
	require.NotNil(t, m, marker)
	return m[1]
}

// Comparable leaves out empty lines, which fill a window, and line numbers in the source, which every edit moves.
func Comparable(screen string) string {
	var lines []string
	for _, line := range strings.Split(screen, "\n") {
		if strings.TrimSpace(line) != "" {
			lines = append(lines, line)
		}
	}
	return regexp.MustCompile(`\.go:\d+`).ReplaceAllString(strings.Join(lines, "\n"), ".go:N")
}

// Overlay plants all exhibits of the museum, for the compiler's -overlay flag: every build of the command's tests that
// needs a defect is made of the same sources, so that what is under them is compiled once.
func Overlay(t testing.TB) string {
	t.Helper()
	m, err := museum.Open(Root(t))
	require.NoError(t, err)
	overlay, err := museum.PlantAll(Root(t), t.TempDir(), m.Plants())
	require.NoError(t, err)
	return overlay
}

// With is the environment in which a build with the Overlay has the exhibit's defect.
func With(id string) []string { return append(os.Environ(), museum.Chosen+"="+id) }

// Exhibit is an exhibit of the museum.
func Exhibit(t testing.TB, id string) *museum.Exhibit {
	t.Helper()
	m, err := museum.Open(Root(t))
	require.NoError(t, err)
	x := m.Exhibit(id)
	require.NotNil(t, x, "there is no exhibit %s", id)
	return x
}
