package traces_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"custody/traces"
)

func TestParseAnyMakesSomethingOfEverything(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"an unreadable line is kept", "  cancle   r1 \t\nrun 1\n", "cancle   r1\nrun 1\n"},
		{"an unreadable argument spoils its line only",
			"submit r1 tenant=a prompt=1 max=x\nrun 1\n",
			"submit r1 tenant=a prompt=1 max=x\nrun 1\n"},
		{"so is an unreadable header line",
			"tenant 1x\ntenant\ntenant a b\nworker 1x block=2\nworker\nexpect maybe\nexpect ok\nexpect\n",
			"tenant 1x\ntenant\ntenant a b\nworker 1x block=2\nworker\nexpect maybe\nexpect\nexpect ok\n"},
		{"an open quote", "config blocks=\"\nrun 1", "config blocks=\"\nrun 1\n"},
		{"numbers move into their ranges",
			"run 99999999999999999999\n+0\ndelay r1 chunk=-7 by=9999999\ncancel r1 when tokens=-99999999999999999999\n",
			"run 65536\n+1\ndelay r1 by=1048576\ncancel r1 when tokens=0\n"},
		{"wide numbers too",
			"submit r1 tenant=a prompt=1 seed=-4\nsubmit r2 tenant=a prompt=1 seed=99999999999999999999\n",
			"submit r1 tenant=a prompt=1\nsubmit r2 tenant=a prompt=1 seed=18446744073709551615\n"},
		{"tokens too", "submit r1 tenant=a prompt=-1,70000\n", "submit r1 tenant=a prompt=0,65536\n"},
		{"what is missing takes its default",
			"submit r1\ndelay r1\nfail alloc r1\n",
			"submit r1 tenant=? prompt=\ndelay r1 by=1\nfail alloc r1 block=0\n"},
		{"unknown keys are dropped",
			"config zzz=1 rows=2 policy=lottery blocks=x queue\nworker w1 blocks=3 block=2\n",
			"config rows=2\nworker w1 block=2\n"},
		{"a pool stays small",
			"config blocks=999999 rows=99 max_len=99999 queue=9999\n",
			"config blocks=4096 rows=16 max_len=512 queue=64\n"},
		{"a layout stays small, and the pool with it",
			"config blocks=4096 block=256 layers=64 heads=64 head_dim=256 vocab=65536\n",
			"config blocks=16 block=64 layers=8 heads=8 head_dim=32 vocab=1024\n"},
		{"a worker's layout counts",
			"config blocks=4096\nworker w block=256 layers=64 heads=64 head_dim=256\n",
			"config blocks=16\nworker w block=64 layers=8 heads=8 head_dim=32\n"},
		{"the header counts wherever it stands",
			"run 1\nconfig rows=2\nrun 2\ntenant a\nworker w rows=3\n",
			"config rows=2\ntenant a\nworker w rows=3\nrun 1\nrun 2\n"},
		{"the last word counts",
			"config rows=2 rows=3\ntenant a quota=2\ntenant a\nworker w rows=2\nworker w block=2 block=3\n" +
				"expect ok\nexpect violates content\n",
			"config rows=3\ntenant a\nworker w block=3\nexpect violates content\n"},
		{"a tenant that is not declared is the unknown one",
			"submit r1 tenant=b prompt=1\ntenant a\n",
			"tenant a\nsubmit r1 tenant=? prompt=1\n"},
		{"drain and expect move to the end", "expect ok\ndrain\nrun 1\ndrain\n", "run 1\ndrain\nexpect ok\n"},
		{"the last engine counts, with the last value of each key",
			"engine other a=1\nrun 1\nengine third b=1 x c=2 b=3 =4\n", "engine third b=3 c=2\nrun 1\n"},
		{"an engine without a name is no line", "engine a=1\nrun 1\n", "engine a=1\nrun 1\n"},
		{"narrative and later comments go", "# a\n> b\nrun 1\n# c\n> digest x\n", "# a\nrun 1\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := traces.ParseAny(c.in)
			assert.Equal(t, c.want, s.String())
			assertAnyRoundTrip(t, s)
		})
	}
}

func TestParseAnyKeepsTheLineAndItsText(t *testing.T) {
	s := traces.ParseAny("\n what is this? \nrun 2")
	assert.Equal(t, []traces.Event{
		{Verb: traces.Nop, Text: "what is this?", Line: 2},
		{Verb: traces.Run, Args: traces.Args{traces.Count: 2}, Line: 3},
	}, s.Events)
}

func TestParseAnyIsBounded(t *testing.T) {
	s := traces.ParseAny("drain\n" + strings.Repeat("run 1\n", 10000+5))
	assert.Len(t, s.Events, 10000)
	assert.Equal(t, traces.Drain, s.Events[9999].Verb)
	assertAnyRoundTrip(t, s)

	for _, text := range []string{`"` + strings.Repeat("a", 9999) + `"`, strings.Repeat("1,", 9999) + "1"} {
		s = traces.ParseAny("submit r1 prompt=" + text)
		assert.Len(t, s.Events[0].Prompt, 4096)
		assertAnyRoundTrip(t, s)
	}

	s = traces.ParseAny("engine other" + strings.Repeat(" a=1", 9) + many(" k%d=1", 999))
	assert.Len(t, s.Engine.Settings, 64)
	assertAnyRoundTrip(t, s)

	var b strings.Builder
	for i := range 9999 {
		name := "n" + strings.Repeat("x", i%200)
		b.WriteString("# \ntenant " + name + "\nworker " + name + "\n")
	}
	s = traces.ParseAny(strings.Repeat("#\n", 9999) + b.String())
	assert.Len(t, s.Comment, 1000)
	assert.Len(t, s.Tenants, 64)
	assert.Len(t, s.Workers, 8)
	assertAnyRoundTrip(t, s)
}

// many joins a text that is filled in with 0, 1, 2…
func many(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// assertAnyRoundTrip says that what ParseAny returned prints to a text that it reads as the same script.
func assertAnyRoundTrip(t assert.TestingT, s *traces.Script) {
	text := s.String()
	again := traces.ParseAny(text)
	assert.Equal(t, lineless(s), lineless(again))
	assert.Equal(t, text, again.String())
}

// lineless returns a copy that does not know where its lines stood.
func lineless(s *traces.Script) *traces.Script {
	c := s.Clone()
	for i := range c.Events {
		c.Events[i].Line = 0
	}
	return c
}

var sink *traces.Script

func BenchmarkParseAny(b *testing.B) {
	text := readFile(b, "everything.trace")
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		sink = traces.ParseAny(text)
	}
}
