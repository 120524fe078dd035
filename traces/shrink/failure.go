package shrink

import "custody/traces"

// Identity says when two failures are the same one. It never holds the message.
type Identity struct {
	Promise  string // the promise's id
	Event    string // kind of the event in which it broke: plan, finish, settle, submit, cancel, …
	Relation string // of reader and writer: self, earlier-life, same-domain, other-domain, none
	Slot     string // state of the slot: unwritten, stale, live, poisoned, none
	Crash    string // for `alive`: the function and the kind of error
}

// Failure is the first failure of one promise in a run.
type Failure struct {
	Identity
	Step    int      // the step in which it broke, from 1
	Last    int      // index of the last script event applied before it broke
	Names   []string // the requests involved, the reader first
	Message string   // for people
}

// Outcome is what a caller's executor reports of one run of a script.
type Outcome struct {
	Failures []Failure // in the order in which they broke
	Noop     []bool    // by script event: it did not apply, or never fired
	Steps    int
}

// Executor runs a script. Same script, same outcome.
type Executor func(*traces.Script) Outcome

// Has returns the failure with this identity, or nil.
func (o *Outcome) Has(id Identity) *Failure {
	for i := range o.Failures {
		if o.Failures[i].Identity == id {
			return &o.Failures[i]
		}
	}
	return nil
}
