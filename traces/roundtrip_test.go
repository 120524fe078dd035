package traces_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"custody/traces"
)

// The generators below know the language from its documentation, not from the tables that parser and printer share.

func TestParseReadsBackWhatWasPrinted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScript(t)
		text := s.String()
		again, err := traces.Parse("printed", text)
		require.NoError(t, err)
		require.Equal(t, s, lineless(again))
		require.Equal(t, text, again.String())
	})
}

func TestParseAnyAgreesWithParseOnSmallScripts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScript(t)
		require.Equal(t, s, lineless(traces.ParseAny(s.String())))
	})
}

func TestParseAnyReadsBackWhatItMadeOfDamagedScripts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		assertAnyRoundTrip(t, traces.ParseAny(drawDamaged(t, drawScript(t).String())))
	})
}

func TestParseAnyReadsBackWhatItMadeOfWordSalad(t *testing.T) {
	word := rapid.SampledFrom(strings.Split("config tenant worker engine local submit cancel fail alloc pass copy refuse delay "+
		"run reset force final drain expect violates ok by when r1 r1 amber teal 3 -1 +5 blocks=9 block=2 rows=0 tenant=teal tenant= "+
		"prompt=1,2 prompt=\"hi\" prompt=\" max=3 by=2 chunk=9 tokens=2 state=decode state=x content # > = \" \\ x= =x", " "))
	line := rapid.Custom(func(t *rapid.T) string {
		blank := rapid.SampledFrom([]string{" ", "  ", "\t", "\r"}).Draw(t, "blank")
		return strings.Join(rapid.SliceOfN(word, 0, 6).Draw(t, "words"), blank)
	})
	rapid.Check(t, func(t *rapid.T) {
		assertAnyRoundTrip(t, traces.ParseAny(strings.Join(rapid.SliceOfN(line, 0, 12).Draw(t, "lines"), "\n")))
	})
}

func TestATraceIsReadBackAndIsAScript(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawTrace(t)
		text := want.String()
		got, err := traces.ParseTrace("printed", text)
		require.NoError(t, err)
		got.Script = lineless(got.Script)
		require.Equal(t, want, got)
		s, err := traces.Parse("printed", text)
		require.NoError(t, err)
		require.Equal(t, want.Script, lineless(s))
	})
}

func TestGoldenTracesRoundTrip(t *testing.T) {
	for _, name := range []string{"refused.trace", "everything.trace", "empty.trace", "silent.trace"} {
		t.Run(name, func(t *testing.T) {
			text := readFile(t, name)
			trace, err := traces.ParseTrace(name, text)
			require.NoError(t, err)
			assert.Equal(t, text, trace.String())
			s, err := traces.Parse(name, text)
			require.NoError(t, err)
			assert.Equal(t, trace.Script, s)
			assert.Equal(t, s, traces.ParseAny(text))
		})
	}
}

func TestAnEventPrintsItsLine(t *testing.T) {
	text := readFile(t, "everything.trace")
	s, err := traces.Parse("everything.trace", text)
	require.NoError(t, err)
	lines := strings.Split(text, "\n")
	kinds := map[traces.Verb]bool{}
	for i := range s.Events {
		assert.Equal(t, lines[s.Events[i].Line-1], s.Events[i].String())
		kinds[s.Events[i].Verb] = true
	}
	assert.Len(t, kinds, int(traces.NumVerbs)-1, "the file shows every event but Nop")
}

func TestPrintingSurvivesWhatAProgramGotWrong(t *testing.T) {
	beyond := len(traces.States)
	for _, c := range []struct {
		e    traces.Event
		want string
	}{
		{traces.Event{Verb: traces.NumVerbs}, ""},
		{traces.Event{Verb: traces.Cancel, Name: "r1", When: traces.Anchor{Kind: traces.NumAnchors}}, "cancel r1"},
		{
			traces.Event{Verb: traces.Cancel, Name: "r1", When: traces.Anchor{Kind: traces.WhenState, N: int32(beyond)}},
			fmt.Sprintf("cancel r1 when state=%d", beyond),
		},
		{traces.Event{Verb: traces.Run, Args: traces.Args{traces.Count: 1}, When: traces.Anchor{Kind: traces.WhenDone}}, "run 1"},
	} {
		assert.Equal(t, c.want, c.e.String())
	}
	s := &traces.Script{Config: traces.DefaultConfig()}
	s.Config[traces.Policy], s.Config[traces.Cache] = 2, -1
	assert.Equal(t, "config policy=2 cache=-1\n", s.String())
}

var drawName = rapid.StringMatching(`[a-v_][A-Za-z0-9_.-]{0,6}`)

func drawScript(t *rapid.T) *traces.Script {
	s := &traces.Script{Config: traces.DefaultConfig()}
	s.Comment = nilIfEmpty(rapid.SliceOfN(rapid.StringMatching(`( ?[a-z#>"=é]+)?`), 0, 3).Draw(t, "comment"))
	s.Engine = drawEngine(t)
	for range rapid.IntRange(0, 4).Draw(t, "settings") {
		k, v := drawSetting(t)
		s.Config[k] = v
	}
	for _, n := range rapid.SliceOfNDistinct(drawName, 0, 3, rapid.ID).Draw(t, "tenants") {
		s.Tenants = append(s.Tenants, traces.Tenant{Name: n, Quota: rapid.Int64Range(0, 3).Draw(t, "quota"), Marker: drawMarker(t)})
	}
	for _, n := range rapid.SliceOfNDistinct(drawName, 0, 2, rapid.ID).Draw(t, "workers") {
		s.Workers = append(s.Workers, drawWorker(t, n))
	}
	for range rapid.IntRange(0, 8).Draw(t, "events") {
		s.Events = append(s.Events, drawEvent(t, s))
	}
	if rapid.Bool().Draw(t, "drain") {
		s.Events = append(s.Events, traces.Event{Verb: traces.Drain})
	}
	s.Expect = drawExpect(t)
	return s
}

func drawEngine(t *rapid.T) traces.Engine {
	if rapid.Bool().Draw(t, "own engine") {
		return traces.Engine{}
	}
	e := traces.Engine{Name: "e" + drawName.Draw(t, "engine")}
	for _, k := range rapid.SliceOfNDistinct(rapid.StringMatching(`[^ \t\r\n=#"]{1,6}`), 0, 3, rapid.ID).Draw(t, "keys") {
		e.Settings = append(e.Settings, traces.Setting{Key: k, Value: rapid.String().Draw(t, "value")})
	}
	return e
}

// drawSetting stays within the bounds of ParseAny, and so far below them that it does not lower the pool.
func drawSetting(t *rapid.T) (traces.Key, int64) {
	k := traces.Key(rapid.IntRange(0, int(traces.NumKeys)-1).Draw(t, "key"))
	spec := &traces.Keys[k]
	most := spec.Max
	if !slices.Contains([]traces.Key{traces.Seed, traces.Copy, traces.Budget}, k) {
		most = min(most, spec.Min+7)
	}
	return k, rapid.Int64Range(spec.Min, most).Draw(t, "value")
}

func drawWorker(t *rapid.T, name string) traces.Worker {
	w := traces.Worker{Name: name}
	for range rapid.IntRange(0, 3).Draw(t, "own") {
		if k, v := drawSetting(t); traces.Keys[k].Worker {
			w.Has[k], w.Value[k] = true, v
		}
	}
	return w
}

func drawExpect(t *rapid.T) traces.Expect {
	x := traces.Expect{Set: rapid.Bool().Draw(t, "expect")}
	if x.Set && rapid.Bool().Draw(t, "violates") {
		x.Promise = rapid.StringMatching(`[a-z]{1,8}`).Draw(t, "promise")
		if rapid.Bool().Draw(t, "by") {
			x.By = drawName.Draw(t, "culprit")
		}
	}
	return x
}

func drawEvent(t *rapid.T, s *traces.Script) traces.Event {
	e := traces.Event{Verb: traces.Verb(rapid.IntRange(int(traces.Submit), int(traces.Advance)).Draw(t, "kind"))}
	count := func(lo int64) int64 { return rapid.Int64Range(lo, 1<<16).Draw(t, "count") }
	ticks := func() int64 { return rapid.Int64Range(1, 1<<20).Draw(t, "ticks") }
	flag := func() int64 { return rapid.Int64Range(0, 1).Draw(t, "flag") }
	switch e.Verb {
	case traces.Submit:
		drawSubmit(t, &e, s)
		return e
	case traces.Reset:
		e.Args[traces.Force] = flag()
		return e
	case traces.Run:
		e.Args[traces.Count] = count(1)
		return e
	case traces.Advance:
		e.Args[traces.Ticks] = ticks()
		return e
	case traces.FailAlloc:
		e.Args[traces.NthBlock] = count(0)
	case traces.FailPass:
		e.Args[traces.NthChunk] = count(1)
	case traces.Refuse:
		e.Args[traces.NthChunk], e.Args[traces.Final] = count(1), flag()
	case traces.Delay:
		e.Args[traces.NthChunk], e.Args[traces.By] = count(1), ticks()
	case traces.Stall:
		e.Args[traces.By] = ticks()
	}
	e.Name = drawName.Draw(t, "request")
	e.When.Kind = traces.AnchorKind(rapid.IntRange(0, int(traces.NumAnchors)-1).Draw(t, "anchor"))
	switch e.When.Kind {
	case traces.Now:
	case traces.WhenState:
		e.When.N = rapid.Int32Range(0, int32(len(traces.States))-1).Draw(t, "state")
	default:
		e.When.N = int32(count(0))
	}
	return e
}

func drawSubmit(t *rapid.T, e *traces.Event, s *traces.Script) {
	e.Name = drawName.Draw(t, "request")
	e.Tenant = "?"
	if len(s.Tenants) > 0 && rapid.Bool().Draw(t, "declared") {
		e.Tenant = rapid.SampledFrom(s.Tenants).Draw(t, "tenant").Name
	} else if len(s.Tenants) == 0 {
		e.Tenant = drawName.Draw(t, "tenant")
	}
	e.Prompt = nilIfEmpty(rapid.SliceOfN(rapid.OneOf(rapid.Int32Range(0, 300), rapid.Int32Range(' ', '~')), 0, 9).Draw(t, "prompt"))
	e.Args = traces.Args{
		traces.Max:          rapid.Int64Range(0, 1<<16).Draw(t, "max"),
		traces.SamplingSeed: int64(rapid.Uint64().Draw(t, "seed")),
		traces.EOS:          rapid.Int64Range(-1, 1<<16).Draw(t, "eos"),
		traces.Prio:         rapid.Int64Range(-1<<16, 1<<16).Draw(t, "prio"),
		traces.Temp:         rapid.Int64Range(0, 1000).Draw(t, "temp"),
		traces.TopK:         rapid.Int64Range(0, 1<<16).Draw(t, "top_k"),
		traces.TopP:         rapid.Int64Range(0, 100).Draw(t, "top_p"),
	}
}

func drawMarker(t *rapid.T) []int32 {
	if rapid.Bool().Draw(t, "no marker") {
		return nil
	}
	return rapid.SliceOfN(rapid.Int32Range(0, 130), 4, 7).Draw(t, "marker")
}

func drawTrace(t *rapid.T) *traces.Trace {
	tr := &traces.Trace{Script: drawScript(t)}
	note := rapid.StringMatching(`( ?[0-9a-z#>"=]{1,4}){0,3}`)
	for range len(tr.Script.Events) + 1 {
		tr.Notes = append(tr.Notes, nilIfEmpty(rapid.SliceOfN(note, 0, 2).Draw(t, "notes")))
	}
	if rapid.Bool().Draw(t, "finished") {
		var d traces.Digest
		d.Add(rapid.Uint64().Draw(t, "word"))
		tr.Digest = d.String()
	}
	return tr
}

// drawDamaged overwrites, doubles and cuts pieces of a text.
func drawDamaged(t *rapid.T, text string) string {
	b := []byte(text)
	for range rapid.IntRange(1, 6).Draw(t, "damage") {
		if len(b) == 0 {
			return ""
		}
		i := rapid.IntRange(0, len(b)-1).Draw(t, "at")
		j := rapid.IntRange(i, min(len(b), i+30)).Draw(t, "to")
		switch rapid.IntRange(0, 3).Draw(t, "how") {
		case 0:
			b[i] = rapid.SampledFrom([]byte("\n \r\t\"\\=#>+-,9aw\xff\x00")).Draw(t, "byte")
		case 1:
			b = slices.Delete(b, i, j)
		case 2:
			b = slices.Insert(b, i, slices.Clone(b[i:j])...)
		case 3:
			b = append(b, b[i:j]...)
		}
	}
	return string(b)
}

func nilIfEmpty[T any](s []T) []T {
	if len(s) == 0 {
		return nil
	}
	return s
}
