// Package train makes the weights of the small transformer that is shipped in package recall. It is no part of
// the simulator: nothing imports it but a command.
//
//	seed ─▶ corpus ─▶ batch ─┬─▶ shard 0: forward, loss, backward ─┐
//	                         └─▶ shard 1: forward, loss, backward ─┴─▶ sum ─▶ clip ─▶ AdamW ─▶ weights
//
// The same seed gives the same weights to the last bit: with one thread or two, with assembly or without, on any
// processor. So products are rounded, sums have one order, the functions are those of package numeric, and every sample
// is drawn from a source of its own, seeded by its number. Backward passes are written by hand beside the forward ones
// and checked against finite differences, layer by layer.
package train

import (
	"math/rand/v2"
	"sync"

	"custody/cache"
	"custody/model/llama"
	"custody/model/train/corpus"
)

// Trainer is a training under way. Its state is the weights, the optimiser's memory and the number of steps; the rest
// follows from the recipe.
type Trainer struct {
	recipe Recipe
	plan   *plan
	step   int
	flat   []float32
	adam   *adam
	grad   []float32
	turned []float32
	shards [shards]*shard
}

// shard learns its part of each batch.
type shard struct {
	pass    *pass
	grad    []float32
	samples []corpus.Sample
	scored  int
	loss    float64
	hits    int
}

// Streams of the seed. Samples are numbered from 0.
const weightStream = 1 << 63

// New starts a training.
func New(a llama.Arch, r Recipe) *Trainer {
	t := &Trainer{recipe: r, plan: newPlan(a)}
	t.flat = initial(t.plan, rand.New(rand.NewPCG(r.Seed, weightStream)))
	t.adam = newAdam(t.plan.size)
	t.ready()
	return t
}

// ready makes what follows from the state.
func (t *Trainer) ready() {
	t.grad, t.turned = make([]float32, t.plan.size), make([]float32, t.plan.size)
	for i := range t.shards {
		p := newPass(t.plan, corpus.MaxLen)
		p.flat, p.turned = t.flat, t.turned
		t.shards[i] = &shard{pass: p, grad: make([]float32, t.plan.size)}
	}
}

// Progress is what one step saw.
type Progress struct {
	Step   int     // done so far
	Loss   float64 // per character that was to be predicted
	Hits   float64 // share of them predicted rightly
	Norm   float64 // of the gradients before they were clipped
	Tokens int
}

// Done tells whether the recipe's steps are all made.
func (t *Trainer) Done() bool { return t.step >= t.recipe.Steps }

// Steps is how many steps have been made.
func (t *Trainer) Steps() int { return t.step }

// Step learns one batch, on one thread or on two.
func (t *Trainer) Step(threads int) Progress {
	t.plan.transposed(t.turned, t.flat)
	t.each(threads, t.draw)
	scored := 0
	for _, s := range t.shards {
		scored += s.scored
	}
	t.each(threads, func(i int) { t.shards[i].learn(1 / float32(scored)) })
	for i := range t.grad {
		t.grad[i] = t.shards[0].grad[i] + t.shards[1].grad[i]
	}
	p := Progress{Norm: clip(t.grad)}
	t.adam.advance()
	rate := t.recipe.rate(t.step)
	for _, tensor := range t.plan.all {
		t.adam.update(tensor, t.flat, t.grad, rate)
	}
	t.step++
	p.Step = t.step
	for _, s := range t.shards {
		p.Loss += s.loss / float64(scored)
		p.Hits += float64(s.hits) / float64(scored)
		for _, sample := range s.samples {
			p.Tokens += len(sample.Tokens)
		}
	}
	return p
}

// each runs f for every shard.
func (t *Trainer) each(threads int, f func(shard int)) {
	if threads < 2 {
		for i := range t.shards {
			f(i)
		}
		return
	}
	var all sync.WaitGroup
	for i := range t.shards {
		all.Go(func() { f(i) })
	}
	all.Wait()
}

// draw makes the shard's samples of the present step.
func (t *Trainer) draw(i int) {
	s := t.shards[i]
	s.samples, s.scored = s.samples[:0], 0
	for n := i; n < batch; n += shards {
		rng := rand.New(rand.NewPCG(t.recipe.Seed, uint64(t.step*batch+n)))
		sample := corpus.Draw(rng, t.recipe.progress(t.step))
		s.samples = append(s.samples, sample)
		for _, scored := range sample.Scored {
			if scored {
				s.scored++
			}
		}
	}
}

// learn adds up the gradients of the samples, each scored character weighted alike.
func (s *shard) learn(weight float32) {
	clear(s.grad)
	s.loss, s.hits = 0, 0
	for _, sample := range s.samples {
		var predict []int
		var targets []cache.Token
		for i, scored := range sample.Scored {
			if scored {
				predict = append(predict, i-1)
				targets = append(targets, sample.Tokens[i])
			}
		}
		logits := s.pass.forward(sample.Tokens, predict)
		loss, hits := crossEntropy(logits, targets, weight)
		s.loss += loss
		s.hits += hits
		s.pass.backward(logits, s.grad)
	}
}
