package traces

import "strings"

// ParseAny reads every text as a script, for fuzzing: it never fails. A line that it cannot read becomes a Nop that
// keeps the line. Numbers are moved into their ranges, which are smaller than Parse's so that a run stays cheap;
// what is missing takes its default; header lines count wherever they stand; `drain` and `expect` move to the end.
// What it returns prints to a text that it reads as the same script again.
func ParseAny(text string) *Script {
	p := anyParser{strictness: forgiving(), script: &Script{Config: DefaultConfig()}}
	text = strings.TrimPrefix(text, byteOrderMark)
	for more := true; more; {
		var line string
		line, text, more = strings.Cut(text, "\n")
		p.line++
		if line = strings.Trim(line, blank); line != "" {
			p.read(line)
		}
	}
	p.finish()
	return p.script
}

// Bounds of what ParseAny accepts. They keep a script's memory and its run's cost small.
const (
	anyEvents  = 10000   // lines after the header
	anyPrompt  = 4096    // tokens of one prompt
	anySetting = 64      // settings of the engine
	anyTenants = 64      // declared
	anyWorkers = 8       // declared
	anyComment = 1000    // lines
	anyWords   = 1 << 22 // 32-bit words of KV memory in a pool
)

// forgiving is the strictness of ParseAny.
func forgiving() strictness {
	st := strict()
	st.forgiving, st.prompt, st.settingsMost = true, anyPrompt, anySetting
	st.most[Blocks], st.most[Rows], st.most[MaxLen], st.most[Queue] = 4096, 16, 512, 64
	st.most[Block], st.most[Layers], st.most[Heads], st.most[HeadDim] = 64, 8, 8, 32
	st.most[Vocab] = 1024
	return st
}

// anyParser reads lines one by one. Nothing that it makes of a line depends on another line, except that a bound
// is reached: this is what makes the round trip exact.
type anyParser struct {
	strictness
	script *Script
	words  []word
	line   int
	begun  bool // a line other than a comment has been read: comments are no longer those that open the file
	drain  int  // the line of the first drain, or 0
}

func (p *anyParser) read(line string) {
	switch line[0] {
	case '#':
		if !p.begun && len(p.script.Comment) < anyComment {
			p.script.Comment = append(p.script.Comment, inner(line))
		}
		return
	case '>':
		return
	}
	p.begun = true
	words, err := splitWords(p.words[:0], line)
	if err == nil {
		p.words = words
		err = p.statement(words)
	}
	if err != nil {
		p.add(Event{Verb: Nop, Text: line})
	}
}

func (p *anyParser) statement(words []word) error {
	switch words[0].text {
	case "config":
		return p.settings(words[1:], func(k Key, v int64) error {
			p.script.Config[k] = v
			return nil
		})
	case "engine":
		return p.takeEngine(words[1:])
	case "tenant":
		return p.takeTenant(words[1:])
	case "worker":
		return p.takeWorker(words[1:])
	case "expect":
		return p.takeExpect(words[1:])
	}
	e, err := p.readEvent(words)
	switch {
	case err != nil:
		return err
	case e.Verb == Drain && p.drain == 0:
		p.drain = p.line
	case e.Verb != Drain:
		p.add(e)
	}
	return nil
}

// add appends an event; one place is kept for the drain.
func (p *anyParser) add(e Event) {
	if len(p.script.Events) < anyEvents-1 {
		e.Line = p.line
		p.script.Events = append(p.script.Events, e)
	}
}

func (p *anyParser) takeEngine(words []word) error {
	e, err := p.engine(words)
	if err == nil {
		p.script.Engine = e
	}
	return err
}

func (p *anyParser) takeTenant(words []word) error {
	t, err := p.tenant(words)
	if err != nil {
		return err
	}
	if i := p.script.tenantNamed(t.Name); i >= 0 {
		p.script.Tenants[i] = t
	} else if len(p.script.Tenants) < anyTenants {
		p.script.Tenants = append(p.script.Tenants, t)
	}
	return nil
}

func (p *anyParser) takeWorker(words []word) error {
	w, err := p.worker(words)
	if err != nil {
		return err
	}
	if i := p.script.workerNamed(w.Name); i >= 0 {
		p.script.Workers[i] = w
	} else if len(p.script.Workers) < anyWorkers {
		p.script.Workers = append(p.script.Workers, w)
	}
	return nil
}

func (p *anyParser) takeExpect(words []word) error {
	x, err := p.expect(words)
	if err == nil {
		p.script.Expect = x
	}
	return err
}

// finish applies the rules that need the whole header.
func (p *anyParser) finish() {
	s := p.script
	if p.drain > 0 {
		s.Events = append(s.Events, Event{Verb: Drain, Line: p.drain})
	}
	for i := range s.Events {
		if e := &s.Events[i]; e.Verb == Submit && !s.knowsTenant(e.Tenant) {
			e.Tenant = "?"
		}
	}
	s.Config[Blocks] = min(s.Config[Blocks], max(1, anyWords/s.blockWords()))
}

// blockWords is the size of a KV block in words under the largest layout that the engine or a worker has.
func (s *Script) blockWords() int64 {
	words := int64(2) // K and V
	for _, k := range [...]Key{Block, Layers, Heads, HeadDim} {
		most := s.Config[k]
		for i := range s.Workers {
			if s.Workers[i].Has[k] {
				most = max(most, s.Workers[i].Value[k])
			}
		}
		words *= most
	}
	return words
}
