package traces_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"custody/traces"
)

func TestNarrativeStandsUnderItsEvent(t *testing.T) {
	tr := mustTrace(t, `# why
> before the header
config rows=2
>before the first event
run 1
> 1 t=0 plan p1
>   with detail
run 2
drain
expect ok
> after the expectation
> digest 0123456789abcdef0f1e2d3c4b5a6978
`)
	assert.Equal(t, [][]string{
		{"before the header", "before the first event"},
		{"1 t=0 plan p1", "  with detail"},
		nil,
		{"after the expectation"},
	}, tr.Notes)
	assert.Equal(t, "0123456789abcdef0f1e2d3c4b5a6978", tr.Digest)
	assert.Equal(t, `# why
config rows=2
> before the header
> before the first event
run 1
> 1 t=0 plan p1
>   with detail
run 2
drain
> after the expectation
expect ok
> digest 0123456789abcdef0f1e2d3c4b5a6978
`, tr.String())
}

func TestATraceWithFewNotesPrints(t *testing.T) {
	tr := &traces.Trace{Script: traces.ParseAny("run 1\nrun 2"), Notes: [][]string{nil, {"1 plan"}}}
	assert.Equal(t, "run 1\n> 1 plan\nrun 2\n", tr.String())
}

func TestTraceErrors(t *testing.T) {
	const digest = "> digest 0123456789abcdef0f1e2d3c4b5a6978\n"
	for _, c := range []struct{ in, want string }{
		{"run 1\n> digest abc\n", `2: digest: found "abc", expected 32 hexadecimal digits`},
		{"run 1\n> digest 0123456789ABCDEF0f1e2d3c4b5a6978\n",
			`2: digest: found "0123456789ABCDEF0f1e2d3c4b5a6978", expected 32 hexadecimal digits`},
		{"run 1\n" + digest + "> 2 plan", `3: narrative after the digest (line 2), which must be the last line`},
		{"run 1\n" + digest + digest, `3: narrative after the digest (line 2), which must be the last line`},
		{digest + "run 1\n", `1: digest: found before the script's end, expected on the last line`},
		{"run 1\n" + digest + "run 2\n", `2: digest: found before the script's end, expected on the last line`},
		{"run 1\n" + digest + "drain\n", `2: digest: found before the script's end, expected on the last line`},
		{"drain\n" + digest + "expect ok\n", `2: digest: found before the script's end, expected on the last line`},
		{digest + "config rows=2\n", `1: digest: found before the script's end, expected on the last line`},
		{"rum 1\n", `1: unknown verb "rum", did you mean "run"?`},
	} {
		tr, err := traces.ParseTrace("a.trace", c.in)
		assert.Nil(t, tr)
		assert.EqualError(t, err, "traces/parse: a.trace:"+c.want)
	}
}

func TestTheFirstDifferenceIsAStep(t *testing.T) {
	a := mustTrace(t, `submit r1 tenant=amber prompt=1
> 1 t=0 submit r1: waiting
run 3
> 2 t=0 plan p1
> a remark
> 3 t=4 settle p1: r1 has token 9
drain
> 4 t=4 plan p2
> digest 00000000000000000000000000000001
`)
	for _, c := range []struct{ name, b, want string }{
		{"a line", `submit r1 tenant=amber prompt=1
> 1 t=0 submit r1: waiting
+3
> another remark
> 2 t=0 plan p1
> 3 t=4 settle p1: r1 has token 8
`, "first difference at step 3\n  a: 3 t=4 settle p1: r1 has token 9  (under `run 3`)\n" +
			"  b: 3 t=4 settle p1: r1 has token 8  (under `+3`)"},
		{"an end", `submit r1 tenant=amber prompt=1
> 1 t=0 submit r1: waiting
> 2 t=0 plan p1
> 3 t=4 settle p1: r1 has token 9
`, "first difference at step 4\n  a: 4 t=4 plan p2  (under `drain`)\n  b: no such step"},
		{"a gap", `> 1 t=0 submit r1: waiting
run 1
> 3 t=4 settle p1: r1 has token 9
`, "first difference at step 2\n  a: 2 t=0 plan p1  (under `run 3`)\n  b: no such step"},
		{"before the first event", `> 1 t=0 tick
`, "first difference at step 1\n  a: 1 t=0 submit r1: waiting  (under `submit r1 tenant=amber prompt=1`)\n" +
			"  b: 1 t=0 tick  (before the first event)"},
		{"only the digest", `> 1 t=0 submit r1: waiting
> 2 t=0 plan p1
> 3 t=4 settle p1: r1 has token 9
> 4 t=4 plan p2
> digest 00000000000000000000000000000002
`, "no step reads differently, but the digests do\n  a: 00000000000000000000000000000001\n  b: 00000000000000000000000000000002"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := mustTrace(t, c.b)
			d, ok := a.FirstDifference(b)
			require.True(t, ok)
			assert.Equal(t, c.want, d.String())
			mirrored, ok := b.FirstDifference(a)
			require.True(t, ok)
			assert.Equal(t, traces.Difference{Step: d.Step, A: d.B, B: d.A}, mirrored)
		})
	}
}

func TestTheDifferenceByValue(t *testing.T) {
	a := mustTrace(t, "run 1\n> 1 plan\n> 2 finish\n")
	b := mustTrace(t, "run 2\n> 1 plan\n> 2 settle\n")
	d, ok := a.FirstDifference(b)
	assert.True(t, ok)
	assert.Equal(t, traces.Difference{
		Step: 2,
		A:    traces.Side{Line: "2 finish", Event: "run 1"},
		B:    traces.Side{Line: "2 settle", Event: "run 2"},
	}, d)
}

func TestRemarksAndEventsAreNoDifference(t *testing.T) {
	a := mustTrace(t, "run 1\n> 1 plan\n> 2nd thoughts\n> 0 is no step\n> 99999999999999999999 neither\n")
	b := mustTrace(t, "run 2\n> a remark\n> 1 plan\n")
	_, ok := a.FirstDifference(b)
	assert.False(t, ok)
}

func mustTrace(t *testing.T, text string) *traces.Trace {
	tr, err := traces.ParseTrace("a.trace", text)
	require.NoError(t, err)
	return tr
}
