package draw_test

import (
	"fmt"

	"pgregory.net/rapid"

	"custody/sim/draw"
	"custody/sim/gen"
	"custody/traces"
)

// A script is drawn like any other value of rapid's.
func ExampleScript() {
	scripts := rapid.Custom(func(t *rapid.T) *traces.Script { return draw.Script(t, gen.Profiles[0]) })
	s := scripts.Example(7)
	fmt.Println(s.Events[len(s.Events)-1].Verb)
	// Output: drain
}
