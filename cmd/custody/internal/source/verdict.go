package source

import (
	"custody/cmd/custody/internal/exit"
	"custody/invariants"
	"custody/sim"
	"custody/sim/explain"
	"custody/traces"
)

// What a run of a script says to people.

// Narrate executes a script once more, for people.
func Narrate(s *traces.Script, m *sim.WorkerModel) (*explain.Narrated, error) {
	return explain.Run(s, sim.ExecuteOptions{Model: m})
}

// Happened is what happened in a run: as the file tells it, or by running it.
func (s *Source) Happened() (*traces.Trace, error) {
	if s.Trace != nil {
		for _, notes := range s.Trace.Notes {
			if len(notes) > 0 {
				return s.Trace, nil
			}
		}
	}
	told, err := Narrate(s.Script, nil)
	if err != nil {
		return nil, err
	}
	return told.Trace(s.Script), nil
}

// Verdict is what a run's exit code says.
func (s *Source) Verdict(res *explain.Narrated) error {
	if !res.OK() || !s.AsSaid(res) {
		return exit.ErrBroken
	}
	return nil
}

// AsSaid tells whether the run is what the file says of it, where it says something.
func (s *Source) AsSaid(res *explain.Narrated) bool {
	if s.Trace == nil {
		return true
	}
	if s.Script.Expect.Set && res.Meets(s.Script.Expect) != nil {
		return false
	}
	return s.Trace.Digest == "" || s.Trace.Digest == res.Digest.String()
}

// Sentence is what a promise says.
func Sentence(promise string) string {
	for i := range invariants.Statements {
		if s := &invariants.Statements[i]; s.Name == promise {
			return s.Sentence
		}
	}
	return "a promise that is not built in"
}

// RequestsOf lists the names that a script's events name, in order.
func RequestsOf(s *traces.Script) []string {
	var names []string
	seen := map[string]bool{"": true}
	for i := range s.Events {
		if n := s.Events[i].Name; !seen[n] {
			names, seen[n] = append(names, n), true
		}
	}
	return names
}
