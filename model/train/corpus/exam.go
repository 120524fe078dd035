package corpus

import "math/rand/v2"

// Prompt is a question of the exam, and the one right answer, its stop token included.
type Prompt struct{ Text, Answer string }

// Subject is one kind of question of the exam. All markers are held out from training.
type Subject struct {
	Name    string
	Need    Need
	short   bool
	facts   bool // asks for facts of all kinds
	unseen  bool // all names are held out from training
	outline outline
}

// Need is how many answers must be right, in percent: of all, and of those of any 32 bytes of prompt length.
type Need struct{ All, Bucket float64 }

var (
	needMarker = Need{99.5, 98}
	needFact   = Need{98.5, 96}
	needShort  = Need{99, 0}
	needUnseen = Need{95, 0}
)

// Subjects are all kinds, in the order in which they are reported.
var Subjects = []Subject{
	{Name: "marker", Need: needMarker, outline: outline{documents: 1, ask: Secret}},
	{Name: "colour", Need: needFact, outline: outline{documents: 1, ask: Colour}},
	{Name: "city", Need: needFact, outline: outline{documents: 1, ask: City}},
	{Name: "number", Need: needFact, outline: outline{documents: 1, ask: Number}},
	{Name: "short-marker", Need: needShort, short: true, outline: outline{ask: Secret}},
	{Name: "short-fact", Need: needShort, short: true, facts: true},
	{Name: "signed-who", Need: needMarker, outline: outline{documents: 1, signed: true, ask: Who}},
	{Name: "signed-fact", Need: needFact, facts: true, outline: outline{documents: 1, signed: true}},
	{Name: "two-marker", Need: needMarker, outline: outline{documents: 2, ask: Secret}},
	{Name: "two-fact", Need: needFact, facts: true, outline: outline{documents: 2}},
	{Name: "two-signed", Need: needFact, facts: true, outline: outline{documents: 2, signed: true}},
	{Name: "unseen-marker", Need: needUnseen, unseen: true, outline: outline{documents: 1, ask: Secret}},
	{Name: "unseen-fact", Need: needUnseen, unseen: true, facts: true, outline: outline{documents: 1}},
}

// Exam draws n prompts of the subject. Their lengths spread evenly over what the subject can have, up to LongestPrompt.
func (s *Subject) Exam(seed uint64, n int) []Prompt {
	rng := rand.New(rand.NewPCG(seed, uint64(fnv(s.Name))))
	out := make([]Prompt, 0, n)
	for len(out) < n {
		p := &pen{rng: rng, unseen: s.unseen}
		if next := s.draw(p); len(next.Text) <= LongestPrompt {
			out = append(out, next)
		}
	}
	return out
}

func (s *Subject) draw(p *pen) Prompt {
	o := s.outline
	if s.facts {
		o.ask = p.factKind()
	}
	if s.short {
		text, asked := p.records(shortLeast+p.rng.IntN(shortMost-shortLeast+1), o.ask)
		return Prompt{text + asked.key + ":", asked.value + "\n"}
	}
	o.budget = p.budget(LongestPrompt)
	c, q := p.context(o)
	return Prompt{c.Text() + c.Question(q), c.Answer(q)}
}
