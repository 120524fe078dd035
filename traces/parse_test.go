package traces_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"custody/traces"
)

func TestAScriptIsReadByValue(t *testing.T) {
	s, err := traces.Parse("incident.trace", `
# A worker that disagrees.

#  And an indented line.
config blocks=8 policy=priority
	config   max_len=32 seed=9223372036854775807
tenant amber quota=2
tenant teal
worker w1 max_len=16 dtype=f16
# not kept
submit r1 max=8 prompt="say \"it\"\n\x00\xFf\x4b\\" tenant=amber seed=7 eos=-1 prio=-2
submit r2 tenant=? prompt=3,5,1
> 1 t=0 narrative is skipped
run 3
+40
cancel r1 when state=decode
refuse r1 final chunk=2
delay r1 by=5
reset force
drain
expect violates content by r2
`)
	require.NoError(t, err)
	want := &traces.Script{
		Comment: []string{"A worker that disagrees.", " And an indented line."},
		Config:  traces.DefaultConfig(),
		Tenants: []traces.Tenant{{Name: "amber", Quota: 2}, {Name: "teal"}},
		Workers: []traces.Worker{{Name: "w1"}},
		Events: []traces.Event{
			{Verb: traces.Submit, Name: "r1", Tenant: "amber", Prompt: bytesOf("say \"it\"\n\x00\xffK\\"), Line: 11,
				Args: traces.Args{traces.Max: 8, traces.SamplingSeed: 7, traces.EOS: -1, traces.Prio: -2}},
			{Verb: traces.Submit, Name: "r2", Tenant: "?", Prompt: []int32{3, 5, 1}, Line: 12,
				Args: traces.Args{traces.Max: 1, traces.EOS: -1}},
			{Verb: traces.Run, Args: traces.Args{traces.Count: 3}, Line: 14},
			{Verb: traces.Advance, Args: traces.Args{traces.Ticks: 40}, Line: 15},
			{Verb: traces.Cancel, Name: "r1", When: whenState("decode"), Line: 16},
			{Verb: traces.Refuse, Name: "r1", Args: traces.Args{traces.NthChunk: 2, traces.Final: 1}, Line: 17},
			{Verb: traces.Delay, Name: "r1", Args: traces.Args{traces.NthChunk: 1, traces.By: 5}, Line: 18},
			{Verb: traces.Reset, Args: traces.Args{traces.Force: 1}, Line: 19},
			{Verb: traces.Drain, Line: 20},
		},
		Expect: traces.Expect{Set: true, Promise: "content", By: "r2"},
	}
	want.Config[traces.Blocks] = 8
	want.Config[traces.Policy] = 1
	want.Config[traces.MaxLen] = 32
	want.Config[traces.Seed] = 1<<63 - 1
	w := &want.Workers[0]
	w.Value[traces.MaxLen], w.Has[traces.MaxLen] = 16, true
	w.Value[traces.Dtype], w.Has[traces.Dtype] = 1, true
	assert.Equal(t, want, s)
}

func whenState(name string) traces.Anchor {
	return traces.Anchor{Kind: traces.WhenState, N: int32(slices.Index(traces.States, name))}
}

func bytesOf(s string) []int32 {
	var tokens []int32
	for i := 0; i < len(s); i++ {
		tokens = append(tokens, int32(s[i]))
	}
	return tokens
}

func TestPrintingIsCanonical(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"defaults are left out",
			"config blocks=64 policy=fcfs\nsubmit r1 tenant=a prompt=1 max=1 seed=0 eos=-1 prio=0\ndelay r1 chunk=1 by=1\n",
			"submit r1 tenant=a prompt=1\ndelay r1 by=1\n"},
		{"config lines become one, in the order of the table",
			"config seed=2\nconfig block=8 blocks=9\n",
			"config blocks=9 block=8 seed=2\n"},
		{"the engine stands first", "config rows=2\nengine other\n", "engine other\nconfig rows=2\n"},
		{"settings keep their order", "engine other b=1 a=2 c=\n", "engine other b=1 a=2 c=\n"},
		{"the own engine without settings says nothing", "engine local\nrun 1\n", "run 1\n"},
		{"the own engine with settings does", "engine local a=1\n", "engine local a=1\n"},
		{"a value is in quotes only if it must be",
			`engine other a="b" c="d e" f="\"g" h=i"j`, "engine other a=b c=\"d e\" f=\"\\\"g\" h=i\"j\n"},
		{"a value may be anything", `engine other a="\n\x00\x09\xff\\"`, "engine other a=\"\\n\\x00\\x09\xff\\\\\"\n"},
		{"a worker keeps what it says, even a default", "worker w1 block=4\n", "worker w1 block=4\n"},
		{"a quota of 0 says nothing", "tenant a quota=0\n", "tenant a\n"},
		{"arguments get the order of the table",
			"submit r1 prio=1 max=2 prompt=\"a\" tenant=a\n",
			"submit r1 tenant=a prompt=\"a\" max=2 prio=1\n"},
		{"printable bytes with a letter are text",
			"submit r1 tenant=a prompt=97,34,92,32,126\n",
			"submit r1 tenant=a prompt=\"a\\\"\\\\ ~\"\n"},
		{"no letter, no text", "submit r1 tenant=a prompt=\"12[{@`\"\n", "submit r1 tenant=a prompt=49,50,91,123,64,96\n"},
		{"lines with words are text",
			"submit r1 tenant=a prompt=\"\\x01say\\nit\"\n",
			"submit r1 tenant=a prompt=\"\\x01say\\nit\"\n"},
		{"a marker is printed as a prompt is", "tenant a quota=0 marker=81,85,65,82\n", "tenant a marker=\"QUAR\"\n"},
		{"an unprintable byte, no text", "submit r1 tenant=a prompt=\"a\\n\"\n", "submit r1 tenant=a prompt=97,10\n"},
		{"a byte above ASCII, no text", "submit r1 tenant=a prompt=\"aé\"\n", "submit r1 tenant=a prompt=97,195,169\n"},
		{"an empty prompt is an empty list", "submit r1 tenant=a prompt=\"\"\n", "submit r1 tenant=a prompt=\n"},
		{"leading zeros go", "run 003\n+007\n", "run 3\n+7\n"},
		{"carriage returns go", "# c\r\nrun 3\r\n", "# c\nrun 3\n"},
		{"only opening comments stay", "# a\n#b\n#\nrun 1\n# c\n", "# a\n# b\n#\nrun 1\n"},
		{"the last line needs no end", "run 1\ndrain", "run 1\ndrain\n"},
		{"an expectation without a drain", "expect ok", "expect ok\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := traces.Parse("x", c.in)
			require.NoError(t, err)
			assert.Equal(t, c.want, s.String())
		})
	}
}

const (
	tenants       = "tenant amber\ntenant teal\n"
	oneOfTheVerbs = "(expected engine, config, tenant, worker, submit, cancel, preempt, reset, fail, refuse, delay, stall, " +
		"run, +T, drain or expect)"
	oneOfTheKeys = "(expected blocks, block, rows, chunk, budget, max_len, depth, overlap, queue, quota, requeues, " +
		"policy, free, release, publish, cache, keybits, reserve, copy, link, loop, layers, heads, head_dim, rope, dtype, " +
		"vocab or seed)"
	aWorkersKeys = "(a worker's own keys are block, rows, budget, max_len, layers, heads, head_dim, rope, dtype or vocab)"
	aName        = "(a letter or _, then letters, digits and _ . -)"
)

// refusals are texts that are no scripts, and what Parse says of them.
var refusals = []struct{ in, want string }{
	// Verbs.
	{"\n\ncancle r1", `3: unknown verb "cancle", did you mean "cancel"?`},
	{"confg blocks=3", `1: unknown verb "confg", did you mean "config"?`},
	{"tennant amber", `1: unknown verb "tennant", did you mean "tenant"?`},
	{"exepct ok", `1: unknown verb "exepct", did you mean "expect"?`},
	{"frobnicate", `1: unknown verb "frobnicate" ` + oneOfTheVerbs},
	{"rnu 3", `1: unknown verb "rnu", did you mean "run"?`},
	{"go", `1: unknown verb "go" ` + oneOfTheVerbs},
	{"no" + strings.Repeat("x", 100), `1: unknown verb "no` + strings.Repeat("x", 46) + `…" ` + oneOfTheVerbs},
	{"cancelcancelcancelcancelcancelcancel r1", `1: unknown verb "cancelcancelcancelcancelcancelcancel" ` + oneOfTheVerbs},
	{"fail", `1: fail: what is missing (expected alloc, pass or copy)`},
	{"fail aloc r1 block=2", `1: fail: unknown word "aloc", did you mean "alloc"?`},
	{"fail r1", `1: fail: unknown word "r1" (expected alloc, pass or copy)`},
	// Names.
	{"cancel", `1: cancel: a request's name is missing`},
	{"cancel 1r", `1: cancel: expected a request's name, found "1r" ` + aName},
	{"cancel when tokens=2", `1: cancel: expected a request's name, found "when" ` + aName},
	{"tenant", `1: tenant: a tenant's name is missing`},
	{"tenant ?", `1: tenant: expected a tenant's name, found "?" ` + aName},
	{"worker block=4", `1: worker: expected a worker's name, found "block=4" ` + aName},
	{"submit r1 tenant=-x prompt=", `1: submit r1: expected a tenant's name, found "-x" ` + aName},
	// The engine.
	{"engine", `1: engine: an engine's name is missing`},
	{"engine depth=2", `1: engine: expected an engine's name, found "depth=2" ` + aName},
	{"engine other depth", `1: engine other: expected key=value, found "depth"`},
	{"engine other =2", `1: engine other: expected key=value, found "=2"`},
	{"engine other a=1 # why", `1: engine other: a comment stands on a line of its own`},
	{"engine other a=1 b=2 a=1", `1: engine other: a is given twice`},
	{`engine other a="b`, `1: a: the closing quote is missing`},
	{`engine other a="\q"`, `1: engine other: a: known escapes are \" \\ \n and \xNN, found "\\q"`},
	{"engine other\n\nengine other", `3: engine: given twice (first in line 1)`},
	{"run 1\nengine other", `2: engine: found after the first event (line 1); the header comes before it`},
	{"enigne other", `1: unknown verb "enigne", did you mean "engine"?`},
	// Configuration.
	{"config", `1: config: expected key=value, as in config blocks=8`},
	{"config blok=4", `1: config: unknown key "blok", did you mean "block"?`},
	{"config zzz=4", `1: config: unknown key "zzz" ` + oneOfTheKeys},
	{"config blocks", `1: config: blocks needs a value, as in blocks=64`},
	{"config cache", `1: config: cache needs a value, as in cache=on`},
	{"config blocks=0", `1: config: blocks=0 is out of range (1 to 1048576)`},
	{"config blocks=99999999999999999999", `1: config: blocks=99999999999999999999 is out of range (1 to 1048576)`},
	{"config seed=9223372036854775808", `1: config: seed=9223372036854775808 is out of range (0 to 9223372036854775807)`},
	{"config blocks=+8", `1: config: "blocks=+8" is not a whole number (1 to 1048576)`},
	{"config blocks=", `1: config: "blocks=" is not a whole number (1 to 1048576)`},
	{"config blocks=-", `1: config: "blocks=-" is not a whole number (1 to 1048576)`},
	{"config policy=fcsf", `1: config: unknown policy "fcsf", did you mean "fcfs"?`},
	{"config policy=1", `1: config: unknown policy "1" (expected fcfs or priority)`},
	{"config rows=2\nconfig rows=2", `2: config: rows is given twice (first in line 1)`},
	{"tenant a x=1", `1: tenant a: found "x=1", expected quota=N, marker=TEXT and the end of the line`},
	{"tenant a marker=\"QUA\"", `1: tenant a: marker: expected at least 4 tokens, found 3`},
	{"tenant a quota", `1: tenant a: found "quota", expected quota=N, marker=TEXT and the end of the line`},
	{"tenant a quota=1 quota=2", `1: tenant a: found "quota=2", expected quota=N, marker=TEXT and the end of the line`},
	{"tenant a quota=1025", `1: tenant a: quota=1025 is out of range (0 to 1024)`},
	{"tenant a\ntenant a", `2: tenant a: declared twice`},
	{"worker w\nworker w", `2: worker w: declared twice`},
	{"worker w blocks=4", `1: worker w: blocks is the same for all workers ` + aWorkersKeys},
	{"worker w block=4 block=4", `1: worker w: block is given twice`},
	{"worker w block=257", `1: worker w: block=257 is out of range (1 to 256)`},
	// Arguments.
	{"submit r1 prompt=1", `1: submit r1: tenant is missing, as in tenant=amber`},
	{"submit r1 tenant=a", `1: submit r1: prompt is missing, as in prompt="text" or prompt=3,5,1`},
	{"submit r1 tenant=a promt=1", `1: submit r1: unknown argument "promt", did you mean "prompt"?`},
	{"submit r1 tenant=a prompt=1 zzz",
		`1: submit r1: unknown argument "zzz" (expected tenant, prompt, max, seed, eos, prio, temp, top_k or top_p)`},
	{"submit r1 tenant=a prompt=1 max", `1: submit r1: max needs a value, as in max=1`},
	{"submit r1 tenant=a prompt=1 max=2 max=2", `1: submit r1: max is given twice`},
	{"submit r1 tenant=a prompt=1 max=65537", `1: submit r1: max=65537 is out of range (0 to 65536)`},
	{"submit r1 tenant=a prompt=1 seed=-1", `1: submit r1: seed=-1 is out of range (0 to 18446744073709551615)`},
	{"submit r1 tenant=a prompt=1 seed=x", `1: submit r1: "seed=x" is not a whole number (0 to 18446744073709551615)`},
	{"submit r1 tenant=a prompt=1 eos=-2", `1: submit r1: eos=-2 is out of range (-1 to 65536)`},
	{"submit r1 tenant=a prompt=1 when tokens=2",
		`1: submit r1: takes no anchor (only what is done to a request already submitted can wait)`},
	{"fail alloc r1", `1: fail alloc r1: block is missing, as in block=1`},
	{"fail pass r1 chunk=0", `1: fail pass r1: chunk=0 is out of range (1 to 65536)`},
	{"delay r1", `1: delay r1: by is missing, as in by=1`},
	{"delay r1 by=0", `1: delay r1: by=0 is out of range (1 to 1048576)`},
	{"refuse r1 final=1", `1: refuse r1: final takes no value`},
	{"refuse r1 finl", `1: refuse r1: unknown argument "finl", did you mean "final"?`},
	{"cancel r1 tokens=2", `1: cancel r1: unknown argument "tokens" (expected when)`},
	{"cancel r1 # why", `1: cancel r1: a comment stands on a line of its own`},
	{"drain now", `1: drain: found "now", expected the end of the line`},
	{"reset when tokens=2", `1: reset: takes no anchor (only what is done to a request already submitted can wait)`},
	{"run", `1: run: a number is missing (1 to 65536)`},
	{"run x", `1: run: "x" is not a whole number (1 to 65536)`},
	{"run 0", `1: run: 0 is out of range (1 to 65536)`},
	{"run 3 4", `1: run: found "4", expected the end of the line`},
	{"+", `1: +: "" is not a whole number (1 to 1048576)`},
	{"+0", `1: +: 0 is out of range (1 to 1048576)`},
	{"++5", `1: +: "+5" is not a whole number (1 to 1048576)`},
	// Prompts.
	{"submit r1 tenant=a prompt=1,,2", `1: submit r1: "prompt: " is not a whole number (0 to 65536)`},
	{"submit r1 tenant=a prompt=65537", `1: submit r1: prompt: 65537 is out of range (0 to 65536)`},
	{`submit r1 tenant=a prompt="abc`, `1: prompt: the closing quote is missing`},
	{`submit r1 tenant=a prompt="abc\"`, `1: prompt: the closing quote is missing`},
	{`submit r1 tenant=a prompt="abc"d`, `1: prompt: found 'd' right after the closing quote, expected a blank`},
	{`submit r1 tenant=a prompt="a\qb"`, `1: submit r1: prompt: known escapes are \" \\ \n and \xNN, found "\\qb"`},
	{`submit r1 tenant=a prompt="a\x4"`, `1: submit r1: prompt: known escapes are \" \\ \n and \xNN, found "\\x4"`},
	{`submit r1 tenant=a prompt="a\xg0"`, `1: submit r1: prompt: known escapes are \" \\ \n and \xNN, found "\\xg0"`},
	// Anchors.
	{"cancel r1 when", `1: cancel r1: when: expected a condition, as in when tokens=2 (tokens, chunk, issued, done or state)`},
	{"cancel r1 when tokens",
		`1: cancel r1: when: expected a condition, as in when tokens=2 (tokens, chunk, issued, done or state)`},
	{"cancel r1 when token=2", `1: cancel r1: when: unknown condition "token", did you mean "tokens"?`},
	{"cancel r1 when blocks=2", `1: cancel r1: when: unknown condition "blocks" (expected tokens, chunk, issued, done or state)`},
	{"cancel r1 when tokens=-1", `1: cancel r1: when: tokens=-1 is out of range (0 to 65536)`},
	{"cancel r1 when state=decod", `1: cancel r1: when: unknown state "decod", did you mean "decode"?`},
	{"cancel r1 when state=4",
		`1: cancel r1: when: unknown state "4" (expected absent, waiting, loading, loaded, prefill, decode, preempted or ended)`},
	{"delay r1 when tokens=2 by=3", `1: delay r1: when: found "by=3", expected the end of the line`},
	// Between lines.
	{tenants + "submit r1 tenant=teel prompt=1", `3: submit r1: unknown tenant "teel" (declared: amber, teal)`},
	{"run 1\nconfig rows=1", `2: config: found after the first event (line 1); the header comes before it`},
	{"run 1\nrun 1\ntenant a", `3: tenant: found after the first event (line 1); the header comes before it`},
	{"drain\nrun 1", `2: run: found after drain (line 1); only expect may follow it`},
	{"drain\ndrain", `2: drain: found after drain (line 1); only expect may follow it`},
	{"expect ok\ndrain", `2: drain: found after expect (line 1), which must be the last line`},
	{"expect ok\nexpect ok", `2: expect: found after expect (line 1), which must be the last line`},
	// Expectations.
	{"expect", "1: expect: expected `ok` or `violates PROMISE [by NAME]`"},
	{"expect ok now", "1: expect: expected `ok` or `violates PROMISE [by NAME]`"},
	{"expect violates", "1: expect violates: the promise is missing, as in `expect violates content`"},
	{"expect violates Content", "1: expect violates: \"Content\" is not a promise (a lower-case word, as in `content`)"},
	{"expect violates content of r1", "1: expect violates content: expected `by NAME` or the end of the line"},
	{"expect violates content by r1 r2", "1: expect violates content: expected `by NAME` or the end of the line"},
	{"expect violates content by", "1: expect violates content by: a request's name is missing"},
}

func TestErrorsSayWhatWasFoundAndWhatWasExpected(t *testing.T) {
	for _, c := range refusals {
		t.Run(c.in, func(t *testing.T) {
			s, err := traces.Parse("incident.trace", c.in)
			assert.Nil(t, s)
			assert.EqualError(t, err, "traces/parse: incident.trace:"+c.want)
		})
	}
}

func TestWhatIsLegalThoughOdd(t *testing.T) {
	for _, in := range []string{
		"", "\n\n", "# only a comment", "> only narrative", "drain", "worker w1",
		"cancel never_submitted", "submit r1 tenant=a prompt=1\nsubmit r1 tenant=b prompt=1",
		"tenant a\nsubmit r1 tenant=? prompt=", "submit force tenant=final prompt=1",
		`submit r1 tenant=a prompt="# when > tenant=b"`, "\tcancel \t r1\r",
	} {
		_, err := traces.Parse("x", in)
		assert.NoError(t, err, "%q", in)
	}
}

func TestAByteOrderMarkIsNoPartOfAScript(t *testing.T) {
	const text = "# Made elsewhere.\ncancel r1\n"
	want, err := traces.Parse("x", text)
	require.NoError(t, err)
	have, err := traces.Parse("x", "\ufeff"+text)
	require.NoError(t, err)
	require.Equal(t, want, have)
	require.Equal(t, want, traces.ParseAny("\ufeff"+text))
	_, err = traces.Parse("x", text+"\ufeff")
	require.Error(t, err)
}
