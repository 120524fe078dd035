package shrink_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"custody/traces"
	"custody/traces/shrink"
)

// noise is what a campaign's script is full of. It is put before and between the lines that matter.
const noise = `config blocks=12 block=2 rows=3 chunk=3 budget=32 depth=2 policy=priority free=lifo seed=99
tenant amber
tenant zinc quota=3
tenant teal
worker w1 budget=16
worker w2
submit n1 tenant=zinc prompt="nothing to see" max=3 seed=12345678901234567890 prio=2
fail alloc n1 block=2
run 4
submit n2 tenant=amber prompt=200,201,202 max=2 eos=7
delay n2 chunk=2 by=40
cancel n1 when tokens=1
+9
preempt n3
stall n2 by=3
run 30
`

var shrinkCases = []struct {
	name   string
	defect defect
	script string
	want   string
}{
	{
		name:   "what one refused request left is read by the next of another tenant",
		defect: staleRow,
		script: noise + `
submit a tenant=teal prompt="the marker is QUARTZ" max=8 seed=3
refuse a chunk=4 final
run 9
submit b tenant=? prompt="say your marker" max=8
reset force
submit c tenant=amber prompt="another one" max=3
run 20
preempt c
drain
`,
		want: `submit r1 tenant=amber prompt=0
submit r2 tenant=teal prompt=0
refuse r1
drain
expect violates content by r2
`,
	},
	{
		name:   "two events that undo each other go as a pair, for neither can go alone",
		defect: oddFlips,
		script: noise + `
preempt x
submit a tenant=teal prompt="one" max=3
preempt a
submit b tenant=amber prompt="two" max=4
reset
cancel b
run 2
`,
		want: `submit r1 tenant=amber prompt=0
submit r2 tenant=amber prompt=0
cancel r1
expect violates content by r1
`,
	},
	{
		name:   "one run grows to make up for many small lines",
		defect: lateCancel,
		script: `config blocks=3
submit a tenant=teal prompt="abc" max=9
run 2
reset
run 1
preempt a
run 2
cancel a
`,
		want: `submit r1 tenant=amber prompt=0 max=7
run 7
cancel r1
expect violates content by r1
`,
	},
	{
		name:   "only the key that matters stays in the header, and it is low",
		defect: tooLong,
		script: `config blocks=12 block=2 chunk=3 max_len=24 depth=3
submit a tenant=teal prompt="a prompt of twenty-one" max=8 prio=-3
run 3
`,
		want: `config max_len=2
submit r1 tenant=amber prompt=0,0
expect violates content by r1
`,
	},
	{
		name:   "what prompts have in common is shortened in all of them",
		defect: sharedPrefix,
		script: noise + `
submit a tenant=teal prompt="shared words, then mine" max=8
run 2
submit b tenant=amber prompt="shared words, then other ones" max=6
run 2
`,
		want: `submit r1 tenant=amber prompt=0,0,0,0
submit r2 tenant=amber prompt=0,0,0,0
expect violates content by r2
`,
	},
	{
		name:   "prompts of one length lose the same piece of their middle",
		defect: sameEnd,
		script: noise + `
submit a tenant=teal prompt="a word: QUARTZ" max=8
submit b tenant=amber prompt="or then: HERTZ" max=6
`,
		want: `submit r1 tenant=amber prompt=0,90
submit r2 tenant=amber prompt=1,90
expect violates content by r2
`,
	},
	{
		name:   "what one prompt has of another is cut out of both",
		defect: extension,
		script: `submit a tenant=teal prompt="this is all: Z"
submit b tenant=amber prompt="this is all: Zzz"
`,
		want: `submit r1 tenant=amber prompt="Z"
submit r2 tenant=amber prompt=90,0,0
expect violates content by r2
`,
	},
	{
		name:   "a limit, a length and a token go down with their equals",
		defect: echo,
		script: noise + `
submit a tenant=teal prompt="zzzzzzzzzzzz" max=12 eos=122
`,
		want: `submit r1 tenant=amber prompt=0,0 max=2 eos=0
expect violates content by r1
`,
	},
	{
		name:   "of two odd seeds one is enough",
		defect: rareSeeds,
		script: `submit a tenant=teal prompt=1 seed=231
submit b tenant=teal prompt=1 seed=2618
`,
		want: `submit r1 tenant=amber prompt=0 seed=231
submit r2 tenant=amber prompt=0 seed=231
expect violates content
`,
	},
	{
		name:   "a first life goes, and leaves its faults to the next",
		defect: longRefused,
		script: `config chunk=6
submit a tenant=teal prompt=1
refuse a chunk=2
run 2
submit a tenant=teal prompt="more than twelve bytes"
run 4
`,
		want: `submit r1 tenant=amber prompt=0,0,0,0,0,0,0,0,0,0,0,0
refuse r1
drain
expect violates content by r1
`,
	},
	{
		name:   "a long run makes up for another",
		defect: longGap,
		script: `submit a tenant=teal prompt=1 max=50
submit b tenant=teal prompt=1 max=50
run 30
cancel a
run 30
cancel b
`,
		want: `submit r1 tenant=amber prompt=0 max=30
submit r2 tenant=amber prompt=0 max=30
run 60
cancel r1
cancel r2
expect violates content by r2
`,
	},
	{
		name:   "what commutes is sorted, and what does not is left",
		defect: descent,
		script: `submit a tenant=teal prompt=2
submit b tenant=teal prompt=1
submit c tenant=teal prompt=0
`,
		want: `submit r1 tenant=amber prompt=0
submit r2 tenant=amber prompt=2
submit r3 tenant=amber prompt=1
expect violates content
`,
	},
	{
		name:   "equal tokens at one place of two prompts go down together",
		defect: sameTail,
		script: noise + `
submit a tenant=teal prompt="QUARTZ is my word" max=8
submit b tenant=amber prompt="BASALT is my word" max=6
`,
		want: `submit r1 tenant=amber prompt=0,0,0
submit r2 tenant=amber prompt=1,0,0
expect violates content by r2
`,
	},
	{
		name:   "two declared tenants become one with one line",
		defect: bothOverQuota,
		script: `tenant olive quota=5
tenant zinc quota=3
submit a tenant=zinc prompt=1
submit b tenant=olive prompt=1
`,
		want: `tenant amber quota=2
submit r1 tenant=amber prompt=0
submit r2 tenant=amber prompt=0
expect violates content
`,
	},
	{
		name:   "a small limit makes up for requests that only fill the house",
		defect: fullHouse,
		script: noise[strings.Index(noise, "submit"):] + `
submit a tenant=teal prompt=1 max=9
submit b tenant=olive prompt=1 max=9
submit c tenant=teal prompt=1 max=9
submit d tenant=teal prompt=1 max=9
submit e tenant=teal prompt=1 max=9
run 3
`,
		want: `config rows=1
submit r1 tenant=amber prompt=0
submit r2 tenant=amber prompt=0
expect violates content by r2
`,
	},
	{
		name:   "a second life that waited for the end of the first gets a name of its own",
		defect: successor,
		script: `submit a tenant=teal prompt=1 max=2
run 4
submit a tenant=teal prompt=1 max=2
run 5
`,
		want: `config rows=1
submit r1 tenant=amber prompt=0
submit r2 tenant=amber prompt=0
drain
expect violates content by r2
`,
	},
	{
		name:   "time that led to a second life comes later once that life need not wait",
		defect: resetSuccessor,
		script: `submit a tenant=teal prompt=1 max=2
run 4
submit a tenant=teal prompt=1 max=7
run 3
reset
`,
		want: `config rows=1
submit r1 tenant=amber prompt=0
submit r2 tenant=amber prompt=0 max=3
run 5
reset
expect violates content by r2
`,
	},
	{
		name:   "a preemption waits at an anchor in place of a run and a forced reset",
		defect: strike,
		script: noise + `
submit a tenant=teal prompt=1 max=9
run 5
reset force
`,
		want: `submit r1 tenant=amber prompt=0 max=2
preempt r1 when tokens=2
drain
expect violates content
`,
	},
	{
		name:   "tokens that must differ stay different, and equal numbers go down together",
		defect: marker,
		script: noise + `
submit a tenant=teal prompt="QUARTZ" max=7
submit b tenant=amber prompt="BASALT" max=7
run 12
`,
		want: `submit r1 tenant=amber prompt=0 max=2
submit r2 tenant=amber prompt=1 max=2
drain
expect violates content by r1
`,
	},
	{
		name:   "a failure in the drain keeps the drain and nothing after the last cause",
		defect: leak,
		script: noise + `
submit a tenant=teal prompt="first" max=7
run 5
cancel a
submit b tenant=amber prompt="second" max=7
cancel b when tokens=3
run 20
drain
`,
		want: `submit r1 tenant=amber prompt=0 max=2
submit r2 tenant=amber prompt=0 max=2
cancel r1 when tokens=1
cancel r2 when tokens=1
drain
expect violates content by r1
`,
	},
	{
		name:   "another failure on the way does not take over",
		defect: secondEnd,
		script: noise + `
submit a tenant=teal prompt="first" max=3
submit b tenant=amber prompt="second" max=4
+60
`,
		want: `submit r1 tenant=amber prompt=0
submit r2 tenant=amber prompt=0 max=2
drain
expect violates content by r2
`,
	},
	{
		name:   "two requests become two lives of one name",
		defect: twoLives,
		script: `submit a tenant=teal prompt="first" max=3
submit b tenant=amber prompt="second" max=4
run 3
cancel a
cancel b
`,
		want: `submit r1 tenant=amber prompt=0
cancel r1
submit r1 tenant=amber prompt=0
cancel r1
expect violates content by r1
`,
	},
	{
		name:   "virtual time becomes a count of derived events",
		defect: lateCancel,
		script: noise + `
submit a tenant=teal prompt="abc" max=40
+29
+41
cancel a
`,
		want: `submit r1 tenant=amber prompt=0 max=7
run 7
cancel r1
expect violates content by r1
`,
	},
	{
		name:   "an anchor goes where a plain event says the same",
		defect: gapCancel,
		script: noise + `
submit a tenant=teal prompt="first" max=7
cancel a when tokens=3
run 6
`,
		want: `submit r1 tenant=amber prompt=0 max=3
run 3
cancel r1
expect violates content by r1
`,
	},
	{
		name:   "of the workers one stays, with the one key that matters",
		defect: smallWorker,
		script: noise[:strings.Index(noise, "submit")] + `worker w3 max_len=20 budget=8
submit a tenant=teal prompt="a prompt of twenty-one" max=8
`,
		want: `worker w3 max_len=2
submit r1 tenant=amber prompt=0,0
expect violates content by r1
`,
	},
	{
		name:   "of an engine's settings those stay that matter, and its name",
		defect: forkedEngine,
		script: `engine other speed=9 forks=2 note="a b"
config rows=2
submit a tenant=zinc prompt="one" max=8
`,
		want: `engine other forks=2
submit r1 tenant=amber prompt=0
expect violates content by r1
`,
	},
	{
		name:   "of the tenants one stays, with the lowest quota",
		defect: overQuota,
		script: noise + `
submit a tenant=zinc prompt="one" max=8
`,
		want: `tenant amber quota=2
submit r1 tenant=amber prompt=0
expect violates content by r1
`,
	},
}

// TestShrinkFindsTheSmallestScript asserts results by value: a shrinker that is a line worse is a failure.
func TestShrinkFindsTheSmallestScript(t *testing.T) {
	for _, c := range shrinkCases {
		t.Run(c.name, func(t *testing.T) {
			r := shrink.Run(parsed(t, c.script), wanted, toyExecutor(c.defect), shrink.Options{})
			if r.Script == nil {
				t.Fatal("the script does not fail")
			}
			if diff := cmp.Diff(c.want, r.Script.String()); diff != "" {
				t.Errorf("after %d executions (-want +got):\n%s\n%v", r.Executions, diff, r.Reductions)
			}
			for _, e := range r.Script.Events {
				if e.Line != 0 {
					t.Errorf("%s: still has the line of the script given", e.String())
				}
			}
		})
	}
}

func parsed(t testing.TB, text string) *traces.Script {
	t.Helper()
	s, err := traces.Parse("test", text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Another failure met on the way is a finding of its own, with the first script that showed it.
func TestShrinkReportsOtherFailures(t *testing.T) {
	var first *traces.Script
	exec := func(s *traces.Script) shrink.Outcome {
		out := toyExecutor(secondEnd)(s)
		if first == nil && out.Has(unwanted) != nil {
			first = s.Clone()
		}
		return out
	}
	r := shrink.Run(parsed(t, "submit a tenant=teal prompt=1 max=3\nsubmit b tenant=teal prompt=2 max=3\ndrain"),
		wanted, exec, shrink.Options{})
	if len(r.Others) != 1 || r.Others[0].Identity != unwanted {
		t.Fatalf("others: %v", r.Others)
	}
	first.Expect = traces.Expect{Set: true, Promise: unwanted.Promise, By: "b"}
	if diff := cmp.Diff(first.String(), r.Others[0].Script.String()); diff != "" {
		t.Errorf("not the first script that showed it:\n%s", diff)
	}
}

func TestShrinkOfAPassingScriptReturnsNoScript(t *testing.T) {
	r := shrink.Run(parsed(t, "submit a tenant=teal prompt=1\ncancel a"), wanted, toyExecutor(staleRow), shrink.Options{})
	if r.Script != nil || r.Executions != 1 || r.Exhausted {
		t.Errorf("got %+v", r)
	}
}

func TestShrinkReportsProgressAfterEachExecution(t *testing.T) {
	calls, size := 0, 1000
	opt := shrink.Options{Progress: func(executions, best int) {
		if calls++; executions != calls || best > size {
			t.Fatalf("call %d reports %d executions and %d lines after %d", calls, executions, best, size)
		}
		size = best
	}}
	r := shrink.Run(parsed(t, shrinkCases[0].script), wanted, toyExecutor(shrinkCases[0].defect), opt)
	if calls != r.Executions || size != r.Script.Size() {
		t.Errorf("%d calls for %d executions, %d lines at the end", calls, r.Executions, size)
	}
}

// Each pass must be needed by a case above: a pass that none needs is either untested or useless.
func TestEveryReductionKeepsSomething(t *testing.T) {
	var total []shrink.Stat
	for _, c := range shrinkCases {
		r := shrink.Run(parsed(t, c.script), wanted, toyExecutor(c.defect), shrink.Options{})
		total = append(total, r.Reductions[len(total):]...)
		for i := range total {
			total[i].Kept += r.Reductions[i].Kept
		}
	}
	for _, p := range total {
		if p.Kept == 0 {
			t.Errorf("%s: no case needs it", p.Name)
		}
	}
}

// A bystander of the culprit's tenant belongs to the cone: one execution drops all tenants but that one.
func TestShrinkWidensTheConeToTheSameTenant(t *testing.T) {
	script := `submit a tenant=teal prompt=1 max=50
submit b tenant=teal prompt=2 max=50
submit c tenant=amber prompt=2 max=50
submit d tenant=olive prompt=3 max=50
run 7
cancel b
cancel a
cancel c
cancel d
`
	exec := func(s *traces.Script) shrink.Outcome { // twoLives, with only one of the two named
		out := toyExecutor(twoLives)(s)
		for i := range out.Failures {
			out.Failures[i].Names = []string{"a"}
		}
		return out
	}
	r := shrink.Run(parsed(t, script), wanted, exec, shrink.Options{Budget: 5})
	for _, p := range r.Reductions {
		if p.Name == "keep the cone" && p.Kept != 1 {
			t.Errorf("%+v; left:\n%s", p, r.Script)
		}
	}
}
