package llama

import (
	"cmp"
	"slices"

	"custody/cache"
	"custody/model/numeric"
)

// sampler draws tokens from logits. What it draws depends on the logits, the request's sampling and the position, and on
// nothing that was drawn before.
type sampler struct {
	order   []int32   // tokens, the likeliest first
	weights []float32 // of the tokens in that order
}

// next is the token for a position.
func (s *sampler) next(logits []float32, how cache.Sampling, pos int32) cache.Token {
	if !(how.Temp > 0) {
		return likeliest(logits)
	}
	s.rank(logits, how.TopK)
	total := s.weigh(logits, how.Temp)
	if how.TopP > 0 && how.TopP < 1 {
		total = s.nucleus(float64(float64(how.TopP) * total))
	}
	return s.pick(float64(uniform(how.Seed, pos) * total))
}

// likeliest is the first token with the largest logit.
func likeliest(logits []float32) cache.Token {
	best := 0
	for i, x := range logits {
		if x > logits[best] {
			best = i
		}
	}
	return cache.Token(best)
}

// rank orders the tokens by logit, ties by index, and keeps the first k; 0 keeps all.
func (s *sampler) rank(logits []float32, k int32) {
	s.order = s.order[:0]
	for i := range logits {
		s.order = append(s.order, int32(i))
	}
	slices.SortFunc(s.order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(logits[b], logits[a]), cmp.Compare(a, b))
	})
	if k > 0 && int(k) < len(s.order) {
		s.order = s.order[:k]
	}
}

// weigh computes e^((logit - largest) / temperature) of the kept tokens, and returns the sum.
func (s *sampler) weigh(logits []float32, temp float32) float64 {
	s.weights = s.weights[:0]
	sum := 0.0
	for _, t := range s.order {
		e := numeric.Exp((logits[t] - logits[s.order[0]]) / temp)
		s.weights = append(s.weights, e)
		sum += float64(e)
	}
	return sum
}

// nucleus keeps the fewest tokens whose weights add up to at least share, and returns their sum.
func (s *sampler) nucleus(share float64) float64 {
	sum := 0.0
	for i, w := range s.weights {
		if sum += float64(w); sum >= share {
			s.weights = s.weights[:i+1]
			break
		}
	}
	return sum
}

// pick is the token at which the sum of the weights exceeds the mark.
func (s *sampler) pick(mark float64) cache.Token {
	sum := 0.0
	for i, w := range s.weights {
		if sum += float64(w); sum > mark {
			return cache.Token(s.order[i])
		}
	}
	return cache.Token(s.order[len(s.weights)-1])
}

// uniform is a number in [0,1) for a position of a request.
func uniform(seed uint64, pos int32) float64 {
	x := scramble(scramble(seed+0x9e3779b97f4a7c15) ^ uint64(uint32(pos)))
	return float64(x>>11) / (1 << 53)
}

// scramble spreads a word's bits (the finalizer of MurmurHash3).
func scramble(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}
