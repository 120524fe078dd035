package shrink

import (
	"slices"

	"custody/traces"
)

// shortenPrompts cuts pieces out of prompts, long ones first, from the end to the start. What prompts have in common
// must go from all of them at once, or they would no longer share a prefix, or no longer be equally long.
func shortenPrompts(sh *shrinker) {
	for size := longestPrompt(sh.best); size >= 1; size /= 2 {
		for i := len(sh.best.Events) - 1; i >= 0; i-- {
			cutPrompt(sh, i, size)
		}
	}
}

func longestPrompt(s *traces.Script) int {
	n := 0
	for i := range s.Events {
		n = max(n, len(s.Events[i].Prompt))
	}
	return n
}

// cutPrompt tries to cut every piece of that size out of the prompt of event i.
func cutPrompt(sh *shrinker, i, size int) {
	for end := len(sh.best.Events[i].Prompt); end > 0; {
		start := max(0, end-size)
		if !cutTogether(sh, i, start, end, sameUpTo) && !cutTogether(sh, i, start, end, sameLength) {
			sh.attempt(func(c *traces.Script) { c.Events[i].Prompt = cut(c.Events[i].Prompt, start, end) })
		}
		end = min(start, len(sh.best.Events[i].Prompt))
	}
}

// cutTogether cuts the piece out of all prompts that are like that of event i.
func cutTogether(sh *shrinker, i, start, end int, like func(a, b []int32, end int) bool) bool {
	return sh.attempt(func(c *traces.Script) {
		model := c.Events[i].Prompt
		for j := range c.Events {
			if p := c.Events[j].Prompt; len(p) >= end && like(model, p, end) {
				c.Events[j].Prompt = cut(p, start, end)
			}
		}
	})
}

func sameUpTo(a, b []int32, end int) bool { return slices.Equal(a[:end], b[:end]) }
func sameLength(a, b []int32, _ int) bool { return len(a) == len(b) }

// cut returns a prompt without a piece. The prompt given stays as it is.
func cut(p []int32, start, end int) []int32 { return slices.Concat(p[:start], p[end:]) }
