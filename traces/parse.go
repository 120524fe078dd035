package traces

import (
	"errors"
	"fmt"
	"strings"
)

// Parse reads a script written by a person. It refuses what it does not understand; the error says where, what was
// found and what was expected. A trace is read as its script: lines that begin with > are skipped.
func Parse(file, text string) (*Script, error) {
	p := newParser(file)
	if err := p.parse(text); err != nil {
		return nil, err
	}
	return p.script, nil
}

// parser keeps what the rules between lines need: header before events, events before `drain`, `expect` last.
type parser struct {
	strictness
	file   string
	script *Script
	note   func(text string) error // takes a line of narrative; nil skips it
	words  []word                  // of the present line; kept for its memory
	line   int                     // numbered from 1, as are the following; 0 is none yet
	last   int                     // the latest line that is neither comment nor narrative
	engine int                     // that names the engine
	event  int                     // the first event
	drain  int
	expect int
	set    [NumKeys]int // where each key was set
}

func newParser(file string) *parser {
	return &parser{strictness: strict(), file: file, script: &Script{Config: DefaultConfig()}}
}

func (p *parser) parse(text string) error {
	text = strings.TrimPrefix(text, byteOrderMark)
	for more := true; more; {
		var line string
		line, text, more = strings.Cut(text, "\n")
		p.line++
		if err := p.read(strings.Trim(line, blank)); err != nil {
			return p.at(p.line, err)
		}
	}
	return nil
}

// byteOrderMark is what some editors write before the first line.
const byteOrderMark = "\ufeff"

// at places an error in the file.
func (p *parser) at(line int, err error) error {
	return fmt.Errorf("traces/parse: %s:%d: %w", p.file, line, err)
}

// read takes in one line without the blanks around it.
func (p *parser) read(line string) error {
	switch {
	case line == "":
		return nil
	case line[0] == '#':
		if p.last == 0 {
			p.script.Comment = append(p.script.Comment, inner(line))
		}
		return nil
	case line[0] == '>':
		if p.note == nil {
			return nil
		}
		return p.note(inner(line))
	}
	words, err := splitWords(p.words[:0], line)
	if err != nil {
		return err
	}
	p.words, p.last = words, p.line
	return p.statement(words)
}

// inner returns the text of a comment or of a line of narrative.
func inner(line string) string {
	return strings.TrimPrefix(line[1:], " ")
}

// statement takes in a line that is neither comment nor narrative.
func (p *parser) statement(words []word) error {
	head := words[0].text
	if p.expect > 0 {
		return fmt.Errorf("%s: found after expect (line %d), which must be the last line", head, p.expect)
	}
	if head == "expect" {
		return p.readExpect(words[1:])
	}
	if p.drain > 0 {
		return fmt.Errorf("%s: found after drain (line %d); only expect may follow it", head, p.drain)
	}
	switch head {
	case "engine", "config", "tenant", "worker":
		return p.readHeader(head, words[1:])
	}
	return p.takeEvent(words)
}

func (p *parser) readHeader(head string, words []word) error {
	if p.event > 0 {
		return fmt.Errorf("%s: found after the first event (line %d); the header comes before it", head, p.event)
	}
	switch head {
	case "engine":
		return p.takeEngine(words)
	case "tenant":
		return p.takeTenant(words)
	case "worker":
		return p.takeWorker(words)
	}
	return p.takeConfig(words)
}

func (p *parser) takeEngine(words []word) (err error) {
	if p.engine > 0 {
		return fmt.Errorf("engine: given twice (first in line %d)", p.engine)
	}
	p.engine = p.line
	p.script.Engine, err = p.strictness.engine(words)
	return err
}

func (p *parser) takeConfig(words []word) error {
	if len(words) == 0 {
		return errors.New("config: expected key=value, as in config blocks=8")
	}
	err := p.settings(words, func(k Key, v int64) error {
		if p.set[k] > 0 {
			return fmt.Errorf("%s is given twice (first in line %d)", Keys[k].Name, p.set[k])
		}
		p.script.Config[k], p.set[k] = v, p.line
		return nil
	})
	if err != nil {
		return fmt.Errorf("config: %w", err)
	}
	return nil
}

func (p *parser) takeTenant(words []word) error {
	t, err := p.tenant(words)
	if err == nil && p.script.tenantNamed(t.Name) >= 0 {
		err = fmt.Errorf("tenant %s: declared twice", t.Name)
	}
	p.script.Tenants = append(p.script.Tenants, t)
	return err
}

func (p *parser) takeWorker(words []word) error {
	w, err := p.worker(words)
	if err == nil && p.script.workerNamed(w.Name) >= 0 {
		err = fmt.Errorf("worker %s: declared twice", w.Name)
	}
	p.script.Workers = append(p.script.Workers, w)
	return err
}

func (p *parser) takeEvent(words []word) error {
	e, err := p.readEvent(words)
	if err != nil {
		return err
	}
	if e.Verb == Submit && !p.script.knowsTenant(e.Tenant) {
		return fmt.Errorf("submit %s: unknown tenant %q (declared: %s)", e.Name, e.Tenant, p.script.tenantNames())
	}
	if e.Line = p.line; p.event == 0 {
		p.event = p.line
	}
	if e.Verb == Drain {
		p.drain = p.line
	}
	p.script.Events = append(p.script.Events, e)
	return nil
}

func (p *parser) readExpect(words []word) (err error) {
	p.expect = p.line
	p.script.Expect, err = p.strictness.expect(words)
	return err
}

// tenantNamed returns the index of a declared tenant, or -1.
func (s *Script) tenantNamed(name string) int {
	for i := range s.Tenants {
		if s.Tenants[i].Name == name {
			return i
		}
	}
	return -1
}

// workerNamed returns the index of a declared worker, or -1.
func (s *Script) workerNamed(name string) int {
	for i := range s.Workers {
		if s.Workers[i].Name == name {
			return i
		}
	}
	return -1
}

// knowsTenant tells whether a submit may name this tenant: any if none is declared, and the unknown one always.
func (s *Script) knowsTenant(name string) bool {
	return len(s.Tenants) == 0 || name == "?" || s.tenantNamed(name) >= 0
}

func (s *Script) tenantNames() string {
	var names []string
	for i := range s.Tenants {
		names = append(names, s.Tenants[i].Name)
	}
	return strings.Join(names, ", ")
}
