// Package traces is the language in which Custody's runs are written down.
//
// A Script is the input of a run: a header with the configuration, then events. One text format serves as
// regression test, fuzzing corpus, lesson and bug report:
//
//	config blocks=8 block=4 rows=4 chunk=8 max_len=32
//	worker w1 max_len=16
//	submit r1 tenant=amber prompt="the marker is QUARTZ" max=8
//	run 3
//	cancel r1 when tokens=2
//	drain
//	expect violates content by r1
//
// A trace is the same text with what happened written between the events. This package knows nothing of the
// engine: it reads, prints and compares. Package shrink makes scripts small.
package traces

// Event is one line of a script after the header. Only what its verb takes is used; the rest is zero.
type Event struct {
	Verb   Verb
	Name   string  // the request
	Tenant string  // of a submit; "?" is a tenant that the engine does not know
	Prompt []int32 // of a submit: tokens; text is its bytes
	Args   Args
	When   Anchor
	Text   string // of a Nop: the line as it was
	Line   int    // where it stood in the file; 0 if it was made by a program
}

// Tenant is a `tenant NAME [quota=N] [marker=TEXT]` line. With no such line, the tenants are those that the events name.
type Tenant struct {
	Name   string
	Quota  int64   // 0: the configuration's
	Marker []int32 // tokens that no other tenant may be told; nil: none
}

// minMarker is how many tokens a marker has at the least: a shorter one is no secret.
const minMarker = 4

// Worker is a `worker NAME key=value…` line: what one worker has configured otherwise than the engine.
type Worker struct {
	Name  string
	Value Config
	Has   [NumKeys]bool
}

// Expect is the optional last line: `expect ok`, `expect violates PROMISE [by NAME]`.
type Expect struct {
	Set     bool
	Promise string // "" for ok
	By      string
}

// Script is a parsed script.
type Script struct {
	Comment []string // the comment lines that open the file, without their "# "
	Engine  Engine
	Config  Config
	Tenants []Tenant
	Workers []Worker
	Events  []Event
	Expect  Expect
}

// Size is the number of lines after the header, without drain and expect: what the shrinker makes small.
func (s *Script) Size() int {
	n := 0
	for i := range s.Events {
		if s.Events[i].Verb != Drain {
			n++
		}
	}
	return n
}

// Clone returns a deep copy.
func (s *Script) Clone() *Script {
	c := *s
	c.Comment = append([]string(nil), s.Comment...)
	c.Engine.Settings = append([]Setting(nil), s.Engine.Settings...)
	c.Tenants = append([]Tenant(nil), s.Tenants...)
	for i := range c.Tenants {
		c.Tenants[i].Marker = append([]int32(nil), c.Tenants[i].Marker...)
	}
	c.Workers = append([]Worker(nil), s.Workers...)
	c.Events = append([]Event(nil), s.Events...)
	for i := range c.Events {
		c.Events[i].Prompt = append([]int32(nil), c.Events[i].Prompt...)
	}
	return &c
}
