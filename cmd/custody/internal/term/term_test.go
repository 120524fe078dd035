package term

import (
	"bytes"
	"strings"
	"testing"

	"github.com/fatih/color"

	"custody/traces"
)

func TestNumbersAreGroupedAndNounsFollow(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", -1234567: "-1,234,567", 12345: "12,345"} {
		if got := Grouped(n); got != want {
			t.Errorf("grouped(%d) = %q, want %q", n, got, want)
		}
	}
	if got := Plural(1, "seed") + ", " + Plural(2000, "seed"); got != "1 seed, 2,000 seeds" {
		t.Errorf("plural: %q", got)
	}
}

func TestAWordForTheShellIsQuotedIfItMustBe(t *testing.T) {
	for word, want := range map[string]string{"a/b-1.trace": "a/b-1.trace", "a b": "'a b'", "it's": `'it'\''s'`, "": "''",
		"$x": "'$x'"} {
		if got := ShellWord(word); got != want {
			t.Errorf("shellWord(%q) = %s, want %s", word, got, want)
		}
	}
}

// script parses a script that a test holds.
func script(t *testing.T, text string) *traces.Script {
	t.Helper()
	s, err := traces.Parse("test", text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// coloured shows what a painter does, with marks for the escape codes of three colours.
func coloured(p *Painter, line string) string {
	color.NoColor = false
	defer func() { color.NoColor = true }()
	return strings.NewReplacer("\x1b[33m", "<y:", "\x1b[36m", "<c:", "\x1b[32m", "<g:", "\x1b[0m", ">").Replace(p.Line(line))
}

func TestNamesAreColouredAsTheirTenants(t *testing.T) {
	s := script(t, "submit r1 tenant=amber prompt=\"a\"\nsubmit r-2 tenant=teal prompt=\"a\"\nsubmit s tenant=teal prompt=\"a\"\n")
	p := NewPainter(s).Through(s.Events)
	for line, want := range map[string]string{
		"r1 gets 7":                           "<y:r1> gets 7",
		"r1/2 [0,3), r-2 [1,2)":               "<y:r1>/2 [0,3), <c:r-2> [1,2)",
		"read by r1 (teal), not r9 (amber)'s": "read by <c:r1> (<c:teal>), not <y:r9> (<y:amber>)'s",
		"r11 xr1 r1x":                         "r11 xr1 r1x",
		`submit r1 tenant=amber prompt="r1 \" r1" max=2`: `submit <y:r1> tenant=<y:amber> prompt="r1 \" r1" max=2`,
		"r1 samples 115 's', s waits":                    "<y:r1> samples 115 's', <c:s> waits",
		"it was r1.":                                     "it was <y:r1>.",
		"amber and teal":                                 "amber and teal",
		"":                                               "",
		`prompt="never closed r1`:                        `prompt="never closed r1`,
	} {
		if got := coloured(p, line); got != want {
			t.Errorf("line(%q) = %q, want %q", line, got, want)
		}
	}
}

func TestANameThatIsUsedAgainTakesItsNewTenantsColour(t *testing.T) {
	s := script(t, "submit r1 tenant=amber prompt=\"a\"\nsubmit r1 tenant=olive prompt=\"a\"\n")
	p := NewPainter(s)
	p.Reached(&s.Events[0])
	if got := coloured(p, "r1"); got != "<y:r1>" {
		t.Errorf("at first %q", got)
	}
	p.Reached(&s.Events[1])
	if got := coloured(p, "r1"); got != "<g:r1>" {
		t.Errorf("then %q", got)
	}
}

func TestTwoTenantsOfAScriptNeverShareAColour(t *testing.T) {
	var text strings.Builder
	for _, name := range strings.Fields("amber teal olive acme zeta corp blue north south east west x") {
		text.WriteString("submit r tenant=" + name + " prompt=\"a\"\n")
	}
	color.NoColor = false
	defer func() { color.NoColor = true }()
	seen := map[string]string{}
	for name, c := range NewPainter(script(t, text.String())).tenants {
		code, _, _ := strings.Cut(c.Sprint("x"), "x")
		if seen[code] != "" {
			t.Errorf("%s and %s share a colour", name, seen[code])
		}
		seen[code] = name
	}
	if len(seen) != len(palette) {
		t.Errorf("%d colours for %d tenants", len(seen), len(palette))
	}
}

func TestALineMentionsARequestByItsWholeName(t *testing.T) {
	for line, want := range map[string]bool{
		"4 t=0 r3 gets 7": true, "settle op1: r1 r3/2": true, "r3 (teal) read": true, "r31 gets 3": false,
		`submit r1 prompt="r3"`: false, "seen by r3.": true, "": false,
	} {
		if got := Mentions(line, "r3"); got != want {
			t.Errorf("mentions(%q) = %v", line, got)
		}
	}
}

func TestAColourIsOnlyForATerminalThatWantsIt(t *testing.T) {
	env := map[string]string{}
	c := &Console{OutIsTTY: true, getenv: func(k string) string { return env[k] }}
	if !c.Colours("auto") || c.Colours("never") {
		t.Error("a terminal has colours unless it is told otherwise")
	}
	env["NO_COLOR"] = "1"
	if c.Colours("auto") || !c.Colours("always") {
		t.Error("NO_COLOR counts unless it is told otherwise")
	}
	if c = (&Console{getenv: c.getenv}); c.Colours("auto") {
		t.Error("a file has no colours")
	}
}

func TestProgressIsOnlyForATerminal(t *testing.T) {
	var errs, out bytes.Buffer
	c := &Console{Out: &checked{w: &out}, Err: &errs}
	p := c.NewProgress("x", 10)
	p.Show(1, func() string { return "one" })
	p.Done()
	if p != nil || p.Above(c) != c.Out || errs.Len() > 0 {
		t.Error("a pipe got a bar")
	}
	c.errIsTTY = true
	p = c.NewProgress("x", 10)
	p.Show(1, func() string { return "one" })
	if p.Above(c) != c.Out {
		t.Error("output that goes to a file went to the terminal")
	}
	p.Done()
}
