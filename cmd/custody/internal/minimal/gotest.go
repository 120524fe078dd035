package minimal

import (
	"fmt"
	"go/format"
	"strconv"
	"strings"
	"unicode"

	"custody/cmd/custody/internal/source"
	"custody/cmd/custody/internal/term"
	"custody/traces"
)

// The Go test that stands beside a minimal script.

const testText = `package %s

import (
	"testing"

	"custody/sim/simtest"
)

// %s replays a minimal script that breaks the promise %q:
// %s.
//
// What happens: %s
//
// The test expects that every promise is kept, so it fails until the defect is mended and guards the place from then on.
// The file %s holds the same script as a report: there it expects the breach.
func %s(t *testing.T) {
	const script = %s
	if err := simtest.CheckText(%q, script, simtest.Options{}); err != nil {
		t.Fatal(err)
	}
}
`

// goTest is the text of a test of a minimal script. The file is the script's own, for the message of a failure.
func goTest(pkg, file string, m *shrunk) string {
	s := m.Script.Clone()
	s.Expect = traces.Expect{Set: true}
	name := testName(file)
	text := fmt.Sprintf(testText, pkg, name, m.promise, term.OneLine(source.Sentence(m.promise)), term.OneLine(m.message), file,
		name, goString(s.String()), file)
	pretty, err := format.Source([]byte(text))
	if err != nil {
		return text // it is what a person asked for, if not pretty
	}
	return string(pretty)
}

// goString writes a text as a Go string, with a raw one if it can.
func goString(text string) string {
	if !strings.Contains(text, "`") {
		return "`" + text + "`"
	}
	var lines []string
	for line := range strings.Lines(text) {
		lines = append(lines, strconv.Quote(line))
	}
	return "\"\" +\n" + strings.Join(lines, " +\n")
}

// testName makes min-tenant-7.trace into TestMinTenant7.
func testName(file string) string {
	name := "Test"
	for _, word := range strings.FieldsFunc(strings.TrimSuffix(file, ".trace"), notInName) {
		r := []rune(word)
		name += string(unicode.ToUpper(r[0])) + string(r[1:])
	}
	return name
}

// testFileName makes min-tenant-7 into min_tenant_7_trace_test.go. What stands before _test.go is never the name of a
// system or a processor, for which the go command would leave the file out elsewhere, nor does the name begin with _.
func testFileName(stem string) string {
	return strings.Join(append(strings.FieldsFunc(stem, notInName), "trace_test.go"), "_")
}

func notInName(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
