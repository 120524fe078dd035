package corpus

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// pen draws documents. A name has one fact in a context, and a kind of secret one marker in a document.
type pen struct {
	rng     *rand.Rand
	trains  bool // markers are not of the class that is held out, and some names are made up
	unseen  bool // names are those that are never trained
	names   []string
	secrets []string
}

// madeUp is one in how many names of the training is drawn letter by letter, so that names are read and not known.
const madeUp = 4

func (p *pen) fresh() {
	list := names
	if p.unseen {
		list = unseen
	}
	p.names = p.shuffled(list)
	p.secrets = p.shuffled(secrets)
}

func (p *pen) shuffled(list []string) []string {
	out := make([]string, len(list))
	for i, j := range p.rng.Perm(len(list)) {
		out[i] = list[j]
	}
	return out
}

func (p *pen) pick(list []string) string { return list[p.rng.IntN(len(list))] }

func (p *pen) marker() string { return Marker(p.rng, !p.trains) }

// name takes a name that the context does not have yet; the longest documents have room for far fewer than there are.
func (p *pen) name() string {
	name := p.names[0]
	p.names = p.names[1:]
	if p.trains && p.rng.IntN(madeUp) == 0 {
		return p.madeUpName()
	}
	return name
}

func (p *pen) madeUpName() string {
	for {
		name := letters(p.rng, upper, 1) + letters(p.rng, lower, 2+p.rng.IntN(5))
		if !strings.Contains(strings.Join(unseen, " "), name) {
			return name
		}
	}
}

// first makes a secret the next one to be drawn.
func (p *pen) first(secret string) {
	if i := slices.Index(p.secrets, secret); i >= 0 {
		p.secrets[0], p.secrets[i] = p.secrets[i], p.secrets[0]
	}
}

func (p *pen) secret() string {
	secret := p.secrets[0]
	p.secrets = p.secrets[1:]
	return secret
}

func (p *pen) fact(kind Kind) Line {
	attribute, value := p.value(kind)
	return factLine(kind, attribute, p.name(), value)
}

func (p *pen) value(kind Kind) (attribute, value string) {
	switch kind {
	case Colour:
		return "colour", p.pick(colours)
	case City:
		return "city", p.pick(cities)
	}
	return "number", strconv.Itoa(100 + p.rng.IntN(900))
}

func (p *pen) factKind() Kind { return Colour + Kind(p.rng.IntN(3)) }

// outline is what is asked of a context.
type outline struct {
	budget      int     // bytes up to the first answer, kept where the least content allows it
	documents   int     // one, or two of two tenants
	signed      bool    // every line carries its tenant's marker
	ask         Kind    // what the first question asks for
	markerFirst bool    // of a document that is not signed, the marker's line stands first
	secret      string  // what the marker is called; empty: anything
	system      *string // the first line; nil: any that fits
}

// context draws documents that fill the budget, and the first question.
func (p *pen) context(o outline) (*Context, Question) {
	p.fresh()
	p.first(o.secret)
	c := &Context{Documents: make([]Document, o.documents)}
	q := Question{Document: p.rng.IntN(o.documents)}
	for i := range c.Documents {
		c.Documents[i] = p.document(o)
	}
	q.Line = p.asked(&c.Documents[q.Document], o.ask)
	if o.system != nil {
		c.System = *o.system
	} else if system := p.pick(systems); c.room(o, q) > len(system) {
		c.System = system
	}
	p.fill(c, o, q)
	for i := range c.Documents {
		lines := c.Documents[i].Lines
		if o.markerFirst {
			lines = lines[1:]
		}
		p.rng.Shuffle(len(lines), func(a, b int) { lines[a], lines[b] = lines[b], lines[a] })
	}
	return c, q
}

// document draws the least that each must have: a marker.
func (p *pen) document(o outline) Document {
	d := Document{Joint: "\n"}
	if o.signed {
		d.Sign = p.marker()
		d.Lines = []Line{p.fact(p.factKind())}
		return d
	}
	if p.rng.IntN(2) == 0 {
		d.Joint = " "
	}
	if o.documents == 1 {
		d.marker = p.marker()
		d.Lines = []Line{secretLine(p.secret(), d.marker)}
		return d
	}
	owner, secret := p.name(), p.pick(secrets)
	d.marker = p.marker()
	d.Heading = "Notes of " + owner + ":"
	d.Lines = []Line{factLine(Secret, secret, owner, d.marker)}
	return d
}

// asked finds a line of the kind in the document, or adds it.
func (p *pen) asked(d *Document, kind Kind) Line {
	if kind == Who {
		return who
	}
	for _, line := range d.Lines {
		if line.Kind == kind {
			return line
		}
	}
	line := p.fact(kind)
	d.Lines = append(d.Lines, line)
	return line
}

func (c *Context) room(o outline, q Question) int {
	return o.budget - len(c.Text()) - len(c.Question(q))
}

// patience is after how many lines that do not fit a document is full.
const patience = 4

func (p *pen) fill(c *Context, o outline, q Question) {
	for failed := 0; failed < patience; {
		d := &c.Documents[p.rng.IntN(len(c.Documents))]
		d.Lines = append(d.Lines, p.line(o))
		if c.room(o, q) < 0 {
			d.Lines = d.Lines[:len(d.Lines)-1]
			failed++
		}
	}
}

func (p *pen) line(o outline) Line {
	switch draw := p.rng.IntN(10); {
	case draw < 3 || len(p.names) == 0:
		return Line{Filler, "", p.pick(fillers)}
	case draw == 3 && o.documents == 1 && !o.signed && len(p.secrets) > 0:
		return secretLine(p.secret(), p.marker())
	}
	return p.fact(p.factKind())
}
