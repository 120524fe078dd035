package corpus

import "strings"

// The short style is records without sentences, for prompts of a few blocks:
//
//	code:QZKT
//	Anna:red
//	code:

type record struct{ key, value string }

func (r record) text() string { return r.key + ":" + r.value + "\n" }

// records draws one marker and up to three facts, as the budget allows, and the one that is asked for.
func (p *pen) records(budget int, ask Kind) (text string, asked record) {
	p.fresh()
	list := []record{{p.secret(), p.marker()}}
	asked = list[0]
	if ask != Secret {
		asked = p.record(ask)
		list = append(list, asked)
	}
	for more := p.rng.IntN(4); len(list) <= more; {
		next := p.record(p.factKind())
		if length(list)+len(next.text())+len(asked.key)+1 > budget {
			break
		}
		list = append(list, next)
	}
	if ask != Secret && length(list)+len(asked.key)+1 > budget {
		list = list[1:] // no room for the marker
	}
	p.rng.Shuffle(len(list), func(a, b int) { list[a], list[b] = list[b], list[a] })
	var out strings.Builder
	for _, r := range list {
		out.WriteString(r.text())
	}
	return out.String(), asked
}

func (p *pen) record(kind Kind) record {
	_, value := p.value(kind)
	return record{p.name(), value}
}

func length(list []record) int {
	n := 0
	for _, r := range list {
		n += len(r.text())
	}
	return n
}

// shortest and longest prompts of the short style, in bytes.
const (
	shortLeast = 16
	shortMost  = 75
)

func (p *pen) short() Sample {
	s := begin()
	ask := Secret
	if p.rng.IntN(2) == 0 {
		ask = p.factKind()
	}
	text, asked := p.records(shortLeast+p.rng.IntN(shortMost-shortLeast+1), ask)
	s.tell(text + asked.key + ":")
	s.ask(asked.value + "\n")
	return s
}
