package term

import (
	"hash/fnv"
	"strings"

	"github.com/fatih/color"

	"custody/traces"
)

// Colours mean tenants. A tenant's colour follows from its name, so it is the same in every run and every script; a
// request's name is printed in the colour of its tenant. Nothing else is coloured: what matters is bold, what does not
// is faint.

var (
	Bold  = color.New(color.Bold)
	Faint = color.New(color.Faint)
)

// palette is what tenants are coloured with.
var palette = []color.Attribute{
	color.FgYellow, color.FgCyan, color.FgGreen, color.FgMagenta, color.FgBlue, color.FgRed,
	color.FgHiYellow, color.FgHiCyan, color.FgHiGreen, color.FgHiMagenta, color.FgHiBlue, color.FgHiRed,
}

// named are the tenants whose names are colours.
var named = map[string]int{"amber": 0, "teal": 1, "olive": 2}

// SetColours turns colours on or off.
func SetColours(on bool) {
	color.NoColor = !on
	obedient(Bold)
	obedient(Faint)
}

// obedient makes a colour follow --color=always: one that is made under NO_COLOR would stay without for itself.
func obedient(c *color.Color) *color.Color {
	if !color.NoColor {
		c.EnableColor()
	}
	return c
}

// Painter colours the lines of one script's run.
type Painter struct {
	tenants map[string]*color.Color
	owner   map[string]string // of a request's name: the tenant that used it last
}

// NewPainter gives every tenant of a script its colour. Two tenants share one only if there are more than colours.
func NewPainter(s *traces.Script) *Painter {
	p := &Painter{tenants: map[string]*color.Color{}, owner: map[string]string{}}
	taken := map[int]bool{}
	for _, name := range TenantsOf(s) {
		if p.tenants[name] != nil {
			continue
		}
		at := wish(name)
		for n := 0; taken[at] && n < len(palette); n++ {
			at = (at + 1) % len(palette)
		}
		taken[at] = true
		p.tenants[name] = obedient(color.New(palette[at]))
	}
	return p
}

// wish is the colour that a tenant gets if no other of the script has it.
func wish(name string) int {
	if at, ok := named[name]; ok {
		return at
	}
	h := fnv.New32a()
	h.Write([]byte(name))
	return int(h.Sum32() % uint32(len(palette)))
}

func TenantsOf(s *traces.Script) []string {
	var names []string
	for i := range s.Tenants {
		names = append(names, s.Tenants[i].Name)
	}
	for i := range s.Events {
		if e := &s.Events[i]; e.Verb == traces.Submit {
			names = append(names, e.Tenant)
		}
	}
	return names
}

// Reached notes that the run has come to an event: from here on a submitted name is its tenant's.
func (p *Painter) Reached(e *traces.Event) {
	if e.Verb == traces.Submit {
		p.owner[e.Name] = e.Tenant
	}
}

// Through notes that the run has come through these events, and returns the painter.
func (p *Painter) Through(events []traces.Event) *Painter {
	for i := range events {
		p.Reached(&events[i])
	}
	return p
}

// Line colours the names in a line of a script, of a narrative or of a message.
func (p *Painter) Line(text string) string {
	var b strings.Builder
	for text != "" {
		n := plainLen(text)
		b.WriteString(text[:n])
		text = text[n:]
		n = nameLen(text)
		b.WriteString(p.word(text[:n], text[n:]))
		text = text[n:]
	}
	return b.String()
}

// word colours a word if it is a request, or a tenant after `tenant=` or in brackets after its request.
func (p *Painter) word(word, after string) string {
	if name, ok := strings.CutPrefix(word, "tenant="); ok && p.tenants[name] != nil {
		return "tenant=" + p.tenants[name].Sprint(name)
	}
	if c := p.tenants[word]; c != nil && strings.HasPrefix(after, ")") {
		return c.Sprint(word)
	}
	name := word
	if p.owner[name] == "" {
		name = strings.TrimRight(word, ".-") // the end of a sentence is no part of a name
	}
	if c := p.tenants[p.tenantOf(name, after)]; c != nil {
		return c.Sprint(name) + word[len(name):]
	}
	return word
}

// tenantOf is a request's tenant: the one in brackets after its name, else the one that submitted the name last.
func (p *Painter) tenantOf(name, after string) string {
	if in, ok := strings.CutPrefix(after, " ("); ok {
		if in, _, ok = strings.Cut(in, ")"); ok && p.tenants[in] != nil {
			return in
		}
	}
	return p.owner[name]
}

// plainLen is the length of what precedes the next word. Quoted text is plain: a prompt may hold anything.
func plainLen(text string) int {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			i += quoted(text[i:])
		case c == '\'':
			i++ // a character, or the s of a genitive
		case isWordByte(c):
			return i
		}
	}
	return len(text)
}

// quoted is the distance from a quote to its closing one, or to the end.
func quoted(text string) int {
	for i := 1; i < len(text); i++ {
		if text[i] == '\\' {
			i++
		} else if text[i] == '"' {
			return i
		}
	}
	return len(text)
}

// nameLen is the length of the word that text begins with.
func nameLen(text string) int {
	n := 0
	for n < len(text) && isWordByte(text[n]) {
		n++
	}
	return n
}

func isWordByte(c byte) bool {
	return c == '_' || c == '.' || c == '-' || c == '=' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// Mentions tells whether a line names a request.
func Mentions(text, name string) bool {
	for text != "" {
		text = text[plainLen(text):]
		n := nameLen(text)
		if n > 0 && strings.TrimRight(text[:n], ".-=") == strings.TrimRight(name, ".-") {
			return true
		}
		text = text[n:]
	}
	return false
}

// Tenant prints a text in the colour of a tenant.
func (p *Painter) Tenant(name, text string) string {
	if c := p.tenants[name]; c != nil {
		return c.Sprint(text)
	}
	return text
}
