package shrink_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"custody/traces"
	"custody/traces/shrink"
)

// These are the laws of shrinking. They are tried on two kinds of engine: the toys, where smaller scripts fail in
// ways that make sense, and an oracle that throws a die on every script, where nothing makes sense.

// problem is something to shrink.
type problem struct {
	script *traces.Script
	exec   shrink.Executor
}

// drawProblem draws a failing script.
func drawProblem(t *rapid.T) problem {
	if rapid.Bool().Draw(t, "dice") {
		bases := []string{"", noise, "engine other a=1 b=2\ntenant zinc\ntenant teal quota=2"}
		s := drawMess(t, rapid.SampledFrom(bases).Draw(t, "base"))
		return problem{s, diceExecutor(s, rapid.Uint8Range(1, 9).Draw(t, "sides"))}
	}
	c := rapid.SampledFrom(shrinkCases).Draw(t, "case")
	p := problem{drawMess(t, c.script), toyExecutor(c.defect)}
	if out := p.exec(p.script); out.Has(wanted) == nil {
		t.Skip("the noise hides the failure")
	}
	return p
}

// drawMess draws lines, and mixes them with those of a script that fails.
func drawMess(t *rapid.T, failing string) *traces.Script {
	lines := []string{
		"submit x tenant=zinc prompt=1,2,3 max=2", "submit y tenant=? prompt=9,9 eos=9", "submit a tenant=teal prompt=4",
		"cancel x", "cancel y when tokens=1", "cancel x when issued=2", "preempt y when chunk=1", "preempt a when state=decode",
		"reset force", "reset", "fail alloc a block=1",
		"refuse x chunk=2 final", "delay a by=9", "stall x by=2", "run 1", "run 7", "+13",
	}
	var header, events []string
	for _, l := range strings.Split(failing, "\n") {
		switch word, _, _ := strings.Cut(l, " "); word {
		case "engine", "config", "tenant", "worker":
			header = append(header, l)
		case "drain":
		default:
			events = append(events, l)
		}
	}
	for range rapid.IntRange(0, 12).Draw(t, "noise") {
		at := rapid.IntRange(0, len(events)).Draw(t, "at")
		events = slices.Insert(events, at, rapid.SampledFrom(lines).Draw(t, "line"))
	}
	if rapid.Bool().Draw(t, "drain") {
		events = append(events, "drain")
	}
	return traces.ParseAny(strings.Join(append(header, events...), "\n"))
}

// diceExecutor fails on the script given, and on one in so many others.
func diceExecutor(first *traces.Script, sides uint8) shrink.Executor {
	known := bare(first).String()
	return func(s *traces.Script) shrink.Outcome {
		var d traces.Digest
		text := bare(s).String()
		d.AddString(text)
		throw := d.String()[0] % sides
		out := shrink.Outcome{Steps: len(s.Events), Noop: make([]bool, len(s.Events))}
		for i := range out.Noop {
			out.Noop[i] = d.String()[i%32]%3 == 0
		}
		b := shrink.Failure{Identity: unwanted, Last: len(s.Events) - 1, Names: []string{"x"}}
		if throw == 0 || text == known {
			b.Identity = wanted
		}
		out.Failures = append(out.Failures, b)
		return out
	}
}

func smallest(p problem, budget int) shrink.Minimal {
	return shrink.Run(p.script, wanted, p.exec, shrink.Options{Budget: budget})
}

func TestShrinkKeepsTheFailureAndNeverGrows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		before := p.script.Clone()
		r := smallest(p, rapid.IntRange(1, 3000).Draw(t, "budget"))
		if diff := cmp.Diff(before, p.script); diff != "" {
			t.Fatalf("the script given was changed:\n%s", diff)
		}
		if out := p.exec(r.Script); out.Has(wanted) == nil {
			t.Fatalf("the result does not fail as wanted:\n%s", r.Script)
		}
		if r.Script.Size() > before.Size() {
			t.Fatalf("%d lines became %d", before.Size(), r.Script.Size())
		}
	})
}

// bare is a script without what an execution does not depend on.
func bare(s *traces.Script) *traces.Script {
	c := s.Clone()
	c.Comment, c.Expect = nil, traces.Expect{}
	for i := range c.Events {
		c.Events[i].Line = 0
	}
	return c
}

func TestShrinkIsDeterministic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		budget := rapid.IntRange(1, 1000).Draw(t, "budget")
		if diff := cmp.Diff(smallest(p, budget), smallest(p, budget)); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestShrinkingTheResultChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		first := smallest(p, 100000)
		if first.Exhausted {
			t.Skip("the budget was spent")
		}
		second := smallest(problem{first.Script, p.exec}, 100000)
		if diff := cmp.Diff(first.Script, second.Script); diff != "" {
			t.Fatalf("not final:\n%s", diff)
		}
	})
}

func TestShrinkStaysWithinItsBudget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		budget, calls := rapid.IntRange(1, 500).Draw(t, "budget"), 0
		exec := p.exec
		p.exec = func(s *traces.Script) shrink.Outcome {
			calls++
			return exec(s)
		}
		r := smallest(p, budget)
		if r.Executions != calls || calls > budget || r.Exhausted && calls < budget {
			t.Fatalf("budget %d, executions %d, reported %d, exhausted %v", budget, calls, r.Executions, r.Exhausted)
		}
		tried := 1
		for _, p := range r.Reductions {
			tried += p.Tried
		}
		if tried != calls {
			t.Fatalf("the passes account for %d of %d executions", tried, calls)
		}
	})
}

func TestShrinkNeverExecutesAScriptTwice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		seen := map[string]bool{}
		exec := p.exec
		p.exec = func(s *traces.Script) shrink.Outcome {
			if text := bare(s).String(); seen[text] {
				t.Fatalf("executed twice:\n%s", text)
			} else {
				seen[text] = true
			}
			return exec(s)
		}
		smallest(p, 2000)
	})
}

// What a shrink returns is written to a file and read by Parse; any candidate may be returned.
func TestShrinkExecutesOnlyScriptsThatParse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		if _, err := traces.Parse("given", p.script.String()); err != nil {
			t.Skip("the script given does not parse either")
		}
		exec := p.exec
		p.exec = func(s *traces.Script) shrink.Outcome {
			back, err := traces.Parse("candidate", s.String())
			if err != nil {
				t.Fatalf("%v\n%s", err, s)
			}
			if diff := cmp.Diff(s.String(), back.String()); diff != "" {
				t.Fatal(diff)
			}
			return exec(s)
		}
		smallest(p, 2000)
	})
}
