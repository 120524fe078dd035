package traces_test

import (
	"fmt"

	"custody/traces"
)

// A script is read strictly, and printed in its one canonical form: what is at its default is left out, and the rest
// stands in the order of the tables.
func ExampleParse() {
	s, err := traces.Parse("incident.trace", `
# A worker refuses r1 for good after the scheduler gave it a row.
config rows=2 blocks=64
submit r1 max=8 tenant=amber prompt="the marker is QUARTZ" seed=0
refuse r1 final chunk=1
run 003
cancel r1 when state=decode
drain
expect ok
`)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(s)
	fmt.Println(s.Size(), "lines; r1 may put out", s.Events[0].Int(traces.Max), "tokens")
	// Output:
	// # A worker refuses r1 for good after the scheduler gave it a row.
	// config rows=2
	// submit r1 tenant=amber prompt="the marker is QUARTZ" max=8
	// refuse r1 final
	// run 3
	// cancel r1 when state=decode
	// drain
	// expect ok
	// 4 lines; r1 may put out 8 tokens
}

// An error says where, what was found and what was expected.
func ExampleParse_error() {
	_, err := traces.Parse("incident.trace", "submit r1 tenant=amber prompt=\"hi\" mx=8\n")
	fmt.Println(err)
	// Output:
	// traces/parse: incident.trace:1: submit r1: unknown argument "mx", did you mean "max"?
}

// A program that makes scripts fills in what a verb takes, and need not know how a line is written.
func ExampleEvent() {
	e := traces.Event{
		Verb: traces.Refuse, Name: "r1", Args: traces.Args{traces.NthChunk: 2, traces.Final: 1},
		When: traces.Anchor{Kind: traces.WhenTokens, N: 3},
	}
	fmt.Println(e.String())
	// Output:
	// refuse r1 chunk=2 final when tokens=3
}
