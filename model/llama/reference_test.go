package llama

import (
	"fmt"
	"math"
	"math/cmplx"
)

// reference is the transformer again, in float64, from the formulas of the papers: no cache, no chunks, the whole square
// of attention, one position after the other. It takes the weights by name and shares no code with the model.
type reference struct {
	arch   Arch
	tensor map[string][]float64
}

func newReference(w *Weights) *reference {
	r := &reference{arch: w.Arch, tensor: map[string][]float64{}}
	for _, t := range w.Tensors() {
		for _, x := range t.Data {
			r.tensor[t.Name] = append(r.tensor[t.Name], float64(x))
		}
	}
	return r
}

// apply multiplies a matrix, by rows, with a vector.
func (r *reference) apply(name string, x []float64) []float64 {
	w := r.tensor[name]
	var y []float64
	for row := 0; row < len(w); row += len(x) {
		dot := 0.0
		for i := range x {
			dot += w[row+i] * x[i]
		}
		y = append(y, dot)
	}
	return y
}

func (r *reference) rmsNorm(name string, x []float64) []float64 {
	squares := 0.0
	for _, v := range x {
		squares += v * v
	}
	root := math.Sqrt(squares/float64(len(x)) + float64(r.arch.Eps))
	var y []float64
	for i, v := range x {
		y = append(y, v/root*r.tensor[name][i])
	}
	return y
}

// turned is a vector of heads, each pair of numbers turned as one complex number.
func (r *reference) turned(x []float64, pos int) []float64 {
	var y []float64
	for i := 0; i < len(x); i += 2 {
		pair := i % r.arch.HeadDim
		angle := float64(pos) / math.Pow(r.arch.RopeBase, float64(pair)/float64(r.arch.HeadDim))
		z := complex(x[i], x[i+1]) * cmplx.Exp(complex(0, angle))
		y = append(y, real(z), imag(z))
	}
	return y
}

// attention is what position n finds in positions 0 to n.
func (r *reference) attention(q []float64, keys, values [][]float64) []float64 {
	size := r.arch.HeadDim
	out := make([]float64, len(q))
	for h := range r.arch.Heads {
		from := h * r.arch.KVHeads / r.arch.Heads * size
		shares, sum := make([]float64, len(keys)), 0.0
		for p, key := range keys {
			for i := range size {
				shares[p] += q[h*size+i] * key[from+i]
			}
			shares[p] = math.Exp(shares[p] / math.Sqrt(float64(size)))
			sum += shares[p]
		}
		for p, value := range values {
			for i := range size {
				out[h*size+i] += shares[p] / sum * value[from+i]
			}
		}
	}
	return out
}

func plus(a, b []float64) []float64 {
	c := make([]float64, len(a))
	for i := range a {
		c[i] = a[i] + b[i]
	}
	return c
}

// logits are those of every position of a text.
func (r *reference) logits(text []int) [][]float64 {
	var stream [][]float64
	for _, t := range text {
		d := r.arch.Dim
		stream = append(stream, r.tensor["model.embed_tokens.weight"][t*d:t*d+d])
	}
	for l := range r.arch.Layers {
		name := func(part string) string { return fmt.Sprintf("model.layers.%d.%s.weight", l, part) }
		var keys, values [][]float64
		for p := range stream {
			x := r.rmsNorm(name("input_layernorm"), stream[p])
			keys = append(keys, r.turned(r.apply(name("self_attn.k_proj"), x), p))
			values = append(values, r.apply(name("self_attn.v_proj"), x))
			found := r.attention(r.turned(r.apply(name("self_attn.q_proj"), x), p), keys, values)
			stream[p] = plus(stream[p], r.apply(name("self_attn.o_proj"), found))
		}
		for p := range stream {
			x := r.rmsNorm(name("post_attention_layernorm"), stream[p])
			gate, up := r.apply(name("mlp.gate_proj"), x), r.apply(name("mlp.up_proj"), x)
			for i, g := range gate {
				gate[i] = g / (1 + math.Exp(-g)) * up[i]
			}
			stream[p] = plus(stream[p], r.apply(name("mlp.down_proj"), gate))
		}
	}
	head := "lm_head.weight"
	if r.arch.Tied {
		head = "model.embed_tokens.weight"
	}
	var all [][]float64
	for _, x := range stream {
		all = append(all, r.apply(head, r.rmsNorm("model.norm.weight", x)))
	}
	return all
}
