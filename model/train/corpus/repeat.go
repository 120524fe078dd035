package corpus

// The repeat style teaches to copy before there is anything to understand: random strings, then the same ones in
// another order. What can be known of the second copy is scored: all but the first characters of each string.

func (p *pen) repeat(first int) Sample {
	var list []string
	for n := 0; n < first; n += len(list[len(list)-1]) + 1 {
		list = append(list, p.string())
	}
	s := begin()
	for _, word := range list {
		s.tell(word + " ")
	}
	for _, word := range p.shuffled(list) {
		known := 1 + p.rng.IntN(2)
		s.tell(word[:known])
		s.ask(word[known:] + " ")
	}
	return s
}

func (p *pen) string() string {
	alphabet := p.pick([]string{upper, lower, digits, upper + lower, upper + digits})
	for {
		word := letters(p.rng, alphabet, 4+p.rng.IntN(8))
		if !HeldOut(word) {
			return word
		}
	}
}
