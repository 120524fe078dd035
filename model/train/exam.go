package train

import (
	"fmt"

	"custody/cache"
	"custody/model"
	"custody/model/llama"
	"custody/model/train/corpus"
)

// Grade counts right answers. A bucket is 32 bytes of prompt length.
type Grade struct{ Asked, Right [Buckets]int }

const (
	Bucket  = 32
	Buckets = corpus.LongestPrompt / Bucket // the last one has the longest prompts too
)

// All sums over the buckets.
func (g *Grade) All() (asked, right int) {
	for i := range g.Asked {
		asked += g.Asked[i]
		right += g.Right[i]
	}
	return asked, right
}

// Missed says in words where the grade is below what the subject needs.
func (g *Grade) Missed(s *corpus.Subject) []string {
	var missed []string
	check := func(where string, right, asked int, need float64) {
		if got := 100 * float64(right) / float64(asked); asked > 0 && got < need {
			missed = append(missed, fmt.Sprintf("%s%s: %.2f%% of %d answers are right, at least %v%% are needed",
				s.Name, where, got, asked, need))
		}
	}
	asked, right := g.All()
	check("", right, asked, s.Need.All)
	for i := range g.Asked {
		check(fmt.Sprintf(", prompts from %d bytes", i*Bucket), g.Right[i], g.Asked[i], s.Need.Bucket)
	}
	return missed
}

func (g *Grade) add(length int, right bool) {
	i := min(length/Bucket, Buckets-1)
	g.Asked[i]++
	if right {
		g.Right[i]++
	}
}

// Examiner asks. It belongs to one thread.
type Examiner struct{ pass *pass }

// NewExaminer asks a transformer of the given weights.
func NewExaminer(w *llama.Weights) *Examiner {
	p := newPlan(w.Arch)
	e := &Examiner{newPass(p, corpus.MaxLen)}
	e.pass.flat, e.pass.turned = p.flatten(w), make([]float32, p.size)
	p.transposed(e.pass.turned, e.pass.flat)
	return e
}

// Grade asks all prompts.
func (e *Examiner) Grade(prompts []corpus.Prompt) Grade {
	var g Grade
	for _, p := range prompts {
		g.add(len(p.Text), e.right(p))
	}
	return g
}

// right tells whether greedy decoding gives just the answer. One pass over prompt and answer tells: if every character
// of the answer is the likeliest one after those before it, decoding writes the same.
func (e *Examiner) right(p corpus.Prompt) bool {
	tokens := model.AppendText([]cache.Token{model.BOS}, p.Text+p.Answer)
	var predict []int
	for i := len(tokens) - len(p.Answer) - 1; i < len(tokens)-1; i++ {
		predict = append(predict, i)
	}
	logits := e.pass.forward(tokens, predict)
	for i, t := range predict {
		if argmax(logits.row(i)) != int(tokens[t+1]) {
			return false
		}
	}
	return true
}
