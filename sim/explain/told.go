package explain

import (
	"fmt"
	"slices"

	"custody/sim"
	"custody/traces"
)

// Told is a run with its narrative.
type Told struct {
	*sim.Result
	narrator *Narrator
}

// Run runs a script and writes down what happens. The error says why it cannot be run.
func Run(s *traces.Script, o sim.ExecuteOptions) (*Told, error) {
	n := &Narrator{}
	o.Watch = append(slices.Clone(o.Watch), n)
	r, err := sim.Execute(s, o)
	if err != nil {
		return nil, err
	}
	return &Told{Result: r, narrator: n}, nil
}

// Message says in words what the i-th breach was. It names both culprits' places in the source.
func (t *Told) Message(i int) string { return t.narrator.Message(i) }

// Trace is the script with what happened.
func (t *Told) Trace(s *traces.Script) *traces.Trace {
	return &traces.Trace{Script: s, Digest: t.Digest.String(), Notes: t.narrator.Notes()}
}

// Meets tells whether a result is what a script expects; a script that says nothing expects that all promises are kept.
func (t *Told) Meets(want traces.Expect) error {
	if want.Promise == "" {
		if t.OK() {
			return nil
		}
		return fmt.Errorf("%s\nit breaks the promise %q", t.Message(0), t.PromiseName(&t.Breaches[0]))
	}
	for i := range t.Breaches {
		b := &t.Breaches[i]
		if t.PromiseName(b) != want.Promise {
			continue
		}
		if names := t.Names(i); want.By != "" && (len(names) == 0 || names[0] != want.By) {
			return fmt.Errorf("it breaks %q by %v, expected by %s", want.Promise, names, want.By)
		}
		return nil
	}
	return fmt.Errorf("it was expected to break the promise %q and does not", want.Promise)
}
