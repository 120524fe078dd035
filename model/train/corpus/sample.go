package corpus

import "math/rand/v2"

// MaxLen bounds a sample, the begin token included. The longest prompt and its answer fit.
const MaxLen = 304

// LongestPrompt is the most bytes that a prompt is trained to have.
const LongestPrompt = 256

const (
	leastBudget = 48  // bytes: room for a marker, a fact and a question
	pairBudget  = 128 // bytes: from here on there is room for two documents
	firstBudget = 64  // bytes: the longest prompt when training begins
	mostAsked   = 8   // questions in one sample
	firstRepeat = 10  // bytes of a repeat sample's first half when training begins
	mostRepeat  = 90  // ... and from the end of the curriculum on
	repeatShare = 0.05
)

// Draw makes one sample for training. Progress goes from 0 to 1 during the curriculum and stays there: from copying short
// strings to reading long contexts.
func Draw(rng *rand.Rand, progress float64) Sample {
	p := &pen{rng: rng, trains: true}
	if rng.Float64() < 1-float64((1-repeatShare)*progress) {
		return p.repeat(between(firstRepeat, mostRepeat, progress))
	}
	most := between(firstBudget, LongestPrompt, progress)
	switch style := rng.IntN(8); {
	case style == 0:
		return p.short()
	case style <= 2:
		return p.talk(outline{budget: p.budget(most), documents: 1, signed: true})
	case style <= 4 && most >= pairBudget:
		budget := pairBudget + rng.IntN(most-pairBudget+1)
		return p.talk(outline{budget: budget, documents: 2, signed: style == 3})
	}
	return p.talk(outline{budget: p.budget(most), documents: 1})
}

func between(least, most int, progress float64) int {
	return least + int(float64(most-least)*progress)
}

func (p *pen) budget(most int) int { return leastBudget + p.rng.IntN(most-leastBudget+1) }

// talk is a context with as many different questions as there is room for.
func (p *pen) talk(o outline) Sample {
	o.ask = p.anyKind(o)
	c, q := p.context(o)
	s := begin()
	s.tell(c.Text())
	for _, q := range append([]Question{q}, p.others(c, q)...) {
		ask, answer := c.Question(q), c.Answer(q)
		if len(s.Tokens)+len(ask)+len(answer) > MaxLen {
			break
		}
		s.tell(ask)
		s.ask(answer)
	}
	return s
}

// anyKind draws what the first question asks for; markers more often, for they are the hardest to copy.
func (p *pen) anyKind(o outline) Kind {
	if p.rng.IntN(3) > 0 {
		return p.factKind()
	}
	if o.signed {
		return Who
	}
	return Secret
}

// others draws further questions, each about another line.
func (p *pen) others(c *Context, first Question) []Question {
	var all []Question
	for i, d := range c.Documents {
		for _, line := range d.Lines {
			if q := (Question{i, line}); line.Kind != Filler && q != first {
				all = append(all, q)
			}
		}
	}
	p.rng.Shuffle(len(all), func(a, b int) { all[a], all[b] = all[b], all[a] })
	return all[:min(len(all), mostAsked-1)]
}
