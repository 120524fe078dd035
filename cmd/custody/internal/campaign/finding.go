package campaign

import (
	"fmt"

	"custody/cmd/custody/internal/source"
	"custody/sim"
	"custody/traces"
	"custody/traces/shrink"
)

// finding is a script that breaks promises, with what a person needs to know of it.
type finding struct {
	seed     uint64
	profile  string
	model    *sim.WorkerModel // on which it does
	script   *traces.Script   // expects the first breach
	message  string           // in words what happened; of a narrated execution, if somebody is to read it
	breaches []shrink.Failure
}

func newFinding(seed uint64, profile string, s *traces.Script, res *sim.Result, m *sim.WorkerModel) *finding {
	f := &finding{
		seed: seed, profile: profile, model: m, script: s.Clone(), message: res.Message(0), breaches: res.Outcome().Failures,
	}
	f.script.Expect = expectation(&f.breaches[0])
	return f
}

// narrate runs the script again for its message, which then names the places in the source.
func (f *finding) narrate() {
	if told, err := source.Narrate(f.script, f.model); err == nil && !told.OK() {
		f.message = told.Message(0)
	}
}

func expectation(b *shrink.Failure) traces.Expect {
	e := traces.Expect{Set: true, Promise: b.Promise}
	if len(b.Names) > 0 {
		e.By = b.Names[0]
	}
	return e
}

// command is a command line for the finding's seed.
func (f *finding) command(verb string) string {
	s := source.Source{Arg: fmt.Sprint(f.seed), Seed: true, Profile: f.profile, Model: f.model}
	return s.Command(verb)
}

// also lists the other promises that the script breaks.
func (f *finding) also() []string {
	var names []string
	for i := range f.breaches[1:] {
		names = append(names, f.breaches[1+i].Promise)
	}
	return names
}
