package shrink

import (
	"slices"

	"custody/traces"
)

// lowerTokens makes prompts say as little as possible: 0, 1, 2… in order of first use, equal tokens equal. Which
// tokens must differ is part of the failure; which tokens they are seldom is.
func lowerTokens(sh *shrinker) {
	everywhere := func(int) bool { return true }
	sh.attempt(func(c *traces.Script) { mapTokens(c, everywhere, func(int32) int32 { return 0 }) })
	sh.attempt(func(c *traces.Script) { mapTokens(c, everywhere, byFirstUse()) })
	for _, t := range slices.Backward(distinctTokens(sh.best, everywhere)) {
		lowerToken(sh, t, everywhere)
	}
	for i := len(sh.best.Events) - 1; i >= 0; i-- {
		lowerPrompt(sh, i)
	}
}

// lowerPrompt lowers the tokens of one prompt and leaves the others alone: by value, then by position.
func lowerPrompt(sh *shrinker, i int) {
	here := func(j int) bool { return j == i }
	sh.attempt(func(c *traces.Script) { mapTokens(c, here, func(int32) int32 { return 0 }) })
	sh.attempt(func(c *traces.Script) { mapTokens(c, here, byFirstUse()) })
	for _, t := range slices.Backward(distinctTokens(sh.best, here)) {
		lowerToken(sh, t, here)
	}
	for p := len(sh.best.Events[i].Prompt) - 1; p >= 0; p-- {
		lowerPosition(sh, i, p)
	}
}

// lowerToken lowers all occurrences of a token together, in the events of its scope.
func lowerToken(sh *shrinker, t int32, scope func(i int) bool) {
	descend(int64(t), func(k int64) bool {
		return sh.attempt(func(c *traces.Script) {
			mapTokens(c, scope, func(u int32) int32 {
				if u == t {
					return int32(k)
				}
				return u
			})
		})
	})
}

// lowerPosition lowers one token of one prompt to one of the smallest: together with the same token at the same place
// of other prompts, then alone.
func lowerPosition(sh *shrinker, i, p int) {
	const few = 3
	for t := int32(0); t < min(few, sh.best.Events[i].Prompt[p]); t++ {
		if sh.attempt(func(c *traces.Script) { replaceColumn(c, p, c.Events[i].Prompt[p], t) }) {
			return
		}
		if sh.attempt(func(c *traces.Script) { c.Events[i].Prompt = replaced(c.Events[i].Prompt, p, t) }) {
			return
		}
	}
}

// replaceColumn replaces a token at one place of all prompts that have it there.
func replaceColumn(c *traces.Script, p int, old, t int32) {
	for j := range c.Events {
		if e := &c.Events[j]; p < len(e.Prompt) && e.Prompt[p] == old {
			e.Prompt = replaced(e.Prompt, p, t)
		}
	}
}

// replaced returns a prompt with another token at one place. The prompt given stays as it is.
func replaced(prompt []int32, p int, t int32) []int32 {
	c := slices.Clone(prompt)
	c[p] = t
	return c
}

// mapTokens replaces the tokens of the events in scope; a token that ends a request is a token too.
func mapTokens(c *traces.Script, scope func(i int) bool, f func(int32) int32) {
	for i := range c.Events {
		e := &c.Events[i]
		if e.Verb != traces.Submit || !scope(i) {
			continue
		}
		e.Prompt = slices.Clone(e.Prompt)
		for p := range e.Prompt {
			e.Prompt[p] = f(e.Prompt[p])
		}
		if eos := e.Int(traces.EOS); eos >= 0 {
			e.Args[traces.EOS] = int64(f(eos))
		}
	}
}

// byFirstUse returns a function that numbers tokens in the order in which it meets them.
func byFirstUse() func(int32) int32 {
	number := map[int32]int32{}
	return func(t int32) int32 {
		n, known := number[t]
		if !known {
			n = int32(len(number))
			number[t] = n
		}
		return n
	}
}

// distinctTokens returns the tokens of the prompts in scope, by first use.
func distinctTokens(s *traces.Script, scope func(i int) bool) []int32 {
	var tokens []int32
	known := map[int32]bool{}
	for i := range s.Events {
		if !scope(i) {
			continue
		}
		for _, t := range s.Events[i].Prompt {
			if !known[t] {
				known[t] = true
				tokens = append(tokens, t)
			}
		}
	}
	return tokens
}
