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
	model    *sim.Model     // on which it does
	script   *traces.Script // expects the first breach
	told     *sim.Result    // of a narrated execution, if somebody is to read the message
	breaches []shrink.Failure
}

func newFinding(seed uint64, profile string, s *traces.Script, res *sim.Result, m *sim.Model) *finding {
	f := &finding{seed: seed, profile: profile, model: m, script: s.Clone(), told: res, breaches: res.Outcome().Failures}
	f.script.Expect = expectation(&f.breaches[0])
	return f
}

// narrate runs the script again for its message, which then names the places in the source.
func (f *finding) narrate() {
	if told := source.Narrate(f.script, f.model); !told.OK() {
		f.told = told
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

// message says in words what happened.
func (f *finding) message() string { return f.told.Message(0) }

// also lists the other promises that the script breaks.
func (f *finding) also() []string {
	var names []string
	for i := range f.breaches[1:] {
		names = append(names, f.breaches[1+i].Promise)
	}
	return names
}
