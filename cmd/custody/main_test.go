package main

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"custody": main})
}

// TestTheCommandLine runs the scenarios of testdata/script on the engine as it is: every command, every exit code.
func TestTheCommandLine(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/script", Cmds: commands, Setup: func(e *testscript.Env) error {
		e.Setenv("GORACE", quick)
		return nil
	}})
}

// quick makes the race detector wait less at the end of each of some hundred processes than a second, its default.
const quick = "atexit_sleep_ms=10"

// commands are what the scenarios can say beside testscript's own words.
var commands = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	"jsonlines": jsonLines,
	"digest":    keepDigest,
	"lastline":  lastLine,
	"firstline": firstLine,
	"appears":   appears,
	"follow":    follow,
	"lines":     countLines,
	"torn":      tearFile,
}

// jsonLines FILE: every line is one JSON object; the first is a start, the last the summary, all between are violations.
func jsonLines(ts *testscript.TestScript, _ bool, args []string) {
	lines := linesOf(ts, args[0])
	for i, line := range lines {
		var rec struct{ Kind string }
		if err := json.Unmarshal([]byte(line), &rec); err != nil {
			ts.Fatalf("line %d is no JSON: %v\n%s", i+1, err, line)
		}
		want := "violation"
		switch i {
		case 0:
			want = "start"
		case len(lines) - 1:
			want = "summary"
		}
		if rec.Kind != want {
			ts.Fatalf("line %d is a %q, expected a %q", i+1, rec.Kind, want)
		}
	}
}

// keepDigest FILE TO: writes the digest of a summary, the last line of FILE, to a file.
func keepDigest(ts *testscript.TestScript, _ bool, args []string) {
	lines := linesOf(ts, args[0])
	var rec struct{ Digest string }
	ts.Check(json.Unmarshal([]byte(lines[len(lines)-1]), &rec))
	if len(rec.Digest) != 32 {
		ts.Fatalf("the digest is %q", rec.Digest)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(rec.Digest), 0o644))
}

// lastLine FILE TEXT: the last line begins with the text. firstLine is the same of the first one.
func lastLine(ts *testscript.TestScript, _ bool, args []string) {
	lines := linesOf(ts, args[0])
	begins(ts, lines[len(lines)-1], args[1])
}

func firstLine(ts *testscript.TestScript, _ bool, args []string) {
	begins(ts, linesOf(ts, args[0])[0], args[1])
}

func begins(ts *testscript.TestScript, line, text string) {
	if !strings.HasPrefix(line, text) {
		ts.Fatalf("the line is %q, expected it to begin with %q", line, text)
	}
}

// appears FILE: waits until something is there that a background command makes.
func appears(ts *testscript.TestScript, _ bool, args []string) {
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if _, err := os.Stat(ts.MkAbs(args[0])); err == nil {
			return
		}
	}
	ts.Fatalf("%s has not appeared within a minute", args[0])
}

// follow: types the command that the last output ends with.
func follow(ts *testscript.TestScript, neg bool, _ []string) {
	lines := linesOf(ts, "stdout")
	line, ok := strings.CutPrefix(lines[len(lines)-1], "next: ")
	if !ok {
		ts.Fatalf("the last line is %q, expected a command to type next", lines[len(lines)-1])
	}
	words := strings.Fields(line)
	err := ts.Exec(words[0], words[1:]...)
	if (err != nil) != neg {
		ts.Fatalf("%s: %v", line, err)
	}
}

// lines FILE N: the file has so many lines.
func countLines(ts *testscript.TestScript, _ bool, args []string) {
	if n := strconv.Itoa(len(linesOf(ts, args[0]))); n != args[1] {
		ts.Fatalf("%s has %s lines, expected %s", args[0], n, args[1])
	}
}

// torn FILE N: takes the last bytes off a file, as a death in the middle of a write does.
func tearFile(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	ts.Check(os.Truncate(ts.MkAbs(args[0]), int64(len(ts.ReadFile(args[0]))-n)))
}

func linesOf(ts *testscript.TestScript, file string) []string {
	text := strings.TrimSuffix(ts.ReadFile(file), "\n")
	return strings.Split(text, "\n")
}
