package shrink_test

import (
	"fmt"
	"testing"

	"custody/traces"
	"custody/traces/shrink"
)

// BenchmarkShrinkOverhead measures what the shrinker itself costs for each execution: its engine does nothing but
// look for a few lines. The rest of the time of a shrink is the engine's.
func BenchmarkShrinkOverhead(b *testing.B) {
	for _, lines := range []int{20, 200} {
		b.Run(fmt.Sprintf("lines=%d", lines), func(b *testing.B) {
			s, executions := longScript(lines), 0
			b.ReportAllocs()
			for b.Loop() {
				r := shrink.Run(s, wanted, fewLines, shrink.Options{})
				executions += r.Executions
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(executions), "ns/execution")
			b.ReportMetric(float64(executions)/float64(b.N), "executions/op")
		})
	}
}

// longScript has a request of twenty tokens in every fifth line.
func longScript(lines int) *traces.Script {
	s := &traces.Script{Config: traces.DefaultConfig()}
	for i := range lines {
		name := fmt.Sprintf("q%d", i/5)
		e := traces.Event{Verb: traces.Run, Args: traces.Args{traces.Count: int64(i)}}
		switch i % 5 {
		case 0:
			e = traces.Event{Verb: traces.Submit, Name: name, Tenant: "teal",
				Args: traces.Args{traces.Max: 8, traces.EOS: -1, traces.SamplingSeed: int64(i)}}
			for t := range int32(20) {
				e.Prompt = append(e.Prompt, t+int32(i))
			}
		case 2:
			e = traces.Event{Verb: traces.Refuse, Name: name, Args: traces.Args{traces.NthChunk: 2, traces.Final: 1}}
		case 4:
			e = traces.Event{Verb: traces.Delay, Name: name, Args: traces.Args{traces.NthChunk: 1, traces.By: 40}}
		}
		s.Events = append(s.Events, e)
	}
	return s
}

// fewLines breaks if four requests are refused and some time passes.
func fewLines(s *traces.Script) shrink.Outcome {
	refused, ticks := 0, 0
	for i := range s.Events {
		switch e := &s.Events[i]; e.Verb {
		case traces.Refuse:
			refused++
		case traces.Run:
			ticks += int(e.Args[traces.Count])
		}
	}
	if refused >= 4 && ticks >= 10 {
		return shrink.Outcome{Failures: failed, Steps: ticks}
	}
	return shrink.Outcome{Steps: ticks}
}

var failed = []shrink.Failure{{Identity: wanted, Last: 1 << 20}}
