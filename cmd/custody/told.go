package main

import (
	"custody/invariants"
	"custody/sim"
	"custody/traces"
)

// What a run of a script says to people.

// narrate executes a script once more, for people.
func narrate(s *traces.Script, m *sim.Model) *sim.Result {
	return sim.Execute(s, sim.ExecuteOptions{Narrate: true, Model: m})
}

// happened is what happened in a run: as the file tells it, or by running it.
func (s *source) happened() *traces.Trace {
	if s.trace != nil {
		for _, notes := range s.trace.Notes {
			if len(notes) > 0 {
				return s.trace
			}
		}
	}
	return narrate(s.script, nil).Trace(s.script)
}

// verdict is what a run's exit code says.
func (s *source) verdict(res *sim.Result) error {
	if !res.OK() || !s.asTold(res) {
		return errBroken
	}
	return nil
}

// asTold tells whether the run is what the file says of it, where it says something.
func (s *source) asTold(res *sim.Result) bool {
	if s.trace == nil {
		return true
	}
	if s.script.Expect.Set && res.Meets(s.script.Expect) != nil {
		return false
	}
	return s.trace.Digest == "" || s.trace.Digest == res.Digest.String()
}

// sentence is what a promise says.
func sentence(promise string) string {
	for i := range invariants.Statements {
		if s := &invariants.Statements[i]; s.Name == promise {
			return s.Sentence
		}
	}
	return "a promise that is not built in"
}

// requestsOf lists the names that a script's events name, in order.
func requestsOf(s *traces.Script) []string {
	var names []string
	seen := map[string]bool{"": true}
	for i := range s.Events {
		if n := s.Events[i].Name; !seen[n] {
			names, seen[n] = append(names, n), true
		}
	}
	return names
}
