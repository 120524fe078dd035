package minimal

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"custody/traces"
	"custody/traces/shrink"
)

func TestTheWrittenTestIsGoWhateverThePromptHolds(t *testing.T) {
	for _, prompt := range []string{`"plain"`, "\"back`quote\"", `"\"quoted\" \\ %d"`} {
		m := &shrunk{promise: "tenant", message: "r2 read\nslot 3 */ %s", Minimal: shrink.Minimal{
			Script: parsed(t, "submit r1 tenant=amber prompt="+prompt+"\ndrain\nexpect violates tenant\n"),
		}}
		text := goTest("custody_test", "min-tenant-7.trace", m)
		if _, err := parser.ParseFile(token.NewFileSet(), "x.go", text, parser.AllErrors); err != nil {
			t.Errorf("%v\n%s", err, text)
		}
		if !strings.Contains(text, "func TestMinTenant7(t *testing.T) {") || strings.Contains(text, "expect violates") {
			t.Errorf("the test is not as it should be:\n%s", text)
		}
	}
}

func TestATestFileIsNeverLeftOut(t *testing.T) {
	for stem, want := range map[string]string{
		"min-tenant-7": "min_tenant_7_trace_test.go", "_x": "x_trace_test.go", "a-linux": "a_linux_trace_test.go", "-": "trace_test.go",
	} {
		if got := testFileName(stem); got != want {
			t.Errorf("testFileName(%q) = %q, want %q", stem, got, want)
		}
	}
}

// parsed parses a script that a test holds.
func parsed(t *testing.T, text string) *traces.Script {
	t.Helper()
	s, err := traces.Parse("test", text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
