package explain

import (
	"fmt"
	"slices"

	"custody/sim"
	"custody/traces"
)

// Narrated is a run with its narrative.
type Narrated struct {
	*sim.Result
	narrator *Narrator
}

// Run runs a script and writes down what happens. The error says why it cannot be run.
func Run(s *traces.Script, o sim.ExecuteOptions) (*Narrated, error) {
	n := &Narrator{}
	o.Watch = append(slices.Clone(o.Watch), n)
	r, err := sim.Execute(s, o)
	if err != nil {
		return nil, err
	}
	return &Narrated{Result: r, narrator: n}, nil
}

// Message says in words what the i-th breach was. It names both culprits' places in the source.
func (n *Narrated) Message(i int) string { return n.narrator.Message(i) }

// Trace is the script with what happened.
func (n *Narrated) Trace(s *traces.Script) *traces.Trace {
	return &traces.Trace{Script: s, Digest: n.Digest.String(), Notes: n.narrator.Notes()}
}

// Meets tells whether a result is what a script expects; a script that says nothing expects that all promises are kept.
func (n *Narrated) Meets(want traces.Expect) error {
	if want.Promise == "" {
		if n.OK() {
			return nil
		}
		return fmt.Errorf("%s\nit breaks the promise %q", n.Message(0), n.PromiseName(&n.Breaches[0]))
	}
	for i := range n.Breaches {
		b := &n.Breaches[i]
		if n.PromiseName(b) != want.Promise {
			continue
		}
		if names := n.Names(i); want.By != "" && (len(names) == 0 || names[0] != want.By) {
			return fmt.Errorf("it breaks %q by %v, expected by %s", want.Promise, names, want.By)
		}
		return nil
	}
	return fmt.Errorf("it was expected to break the promise %q and does not", want.Promise)
}
