package corpus

import "math/rand/v2"

// Style is how the documents of a pair of tenants carry their markers.
type Style uint8

const (
	Anywhere Style = iota // one line of the notes holds the marker
	First                 // that line is the first one
	Signed                // every line and every answer begins with the marker
	NumStyles
)

func (s Style) String() string { return [NumStyles]string{"anywhere", "first", "signed"}[s] }

// Case is a tenant's prompt in two parts, and the answer that is right.
type Case struct {
	Text, Question, Answer string
	Marker                 string
}

// Lengths of a pair's prompts in bytes. The first tenant's is mostly the longer one, so that its blocks cover the
// other's.
const (
	pairFirst  = 100
	pairSecond = 80
	pairMost   = 226
)

// Pair draws the prompts of two tenants that share the system line and call their markers by the same name. The
// second one asks for its own marker, or for a fact of its own notes.
func Pair(rng *rand.Rand, style Style, fact bool) (a, b Case) {
	p := &pen{rng: rng}
	o := outline{documents: 1, signed: style == Signed, markerFirst: style == First, secret: p.pick(secrets)}
	ask := func() Kind {
		switch {
		case fact:
			return p.factKind()
		case style == Signed:
			return Who
		}
		return Secret
	}
	o.ask, o.budget = ask(), pairFirst+rng.IntN(pairMost-pairFirst+1)
	first, q := p.context(o)
	a = caseOf(first, q)
	o.system = &first.System
	o.ask, o.budget = ask(), pairSecond+rng.IntN(pairMost-pairSecond+1)
	second, q := p.context(o)
	return a, caseOf(second, q)
}

func caseOf(c *Context, q Question) Case {
	d := &c.Documents[0]
	out := Case{Text: c.Text(), Question: c.Question(q), Answer: c.Answer(q), Marker: d.Sign}
	if d.Sign == "" {
		out.Marker = d.marker
	}
	return out
}
