package llama

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
)

// Weights are those of a transformer as files hold them: matrices row-major, [output][input]. The rows of Q and K lie so
// that the two numbers which a rotary position turns together are neighbours (the order of Meta's files and of
// llama2.c; Hugging Face's has the halves of a head apart).
type Weights struct {
	Arch   Arch
	Embed  []float32 // [vocab][dim]
	Layers []LayerWeights
	Norm   []float32 // [dim]
	Head   []float32 // [vocab][dim]; nil if tied
}

// LayerWeights are those of one layer.
type LayerWeights struct {
	AttnNorm []float32 // [dim]
	Q        []float32 // [heads × head size][dim]
	K, V     []float32 // [KV heads × head size][dim]
	O        []float32 // [dim][heads × head size]
	MLPNorm  []float32 // [dim]
	Gate, Up []float32 // [hidden][dim]
	Down     []float32 // [dim][hidden]
}

// Tensor is one named array of weights. Its data is the weights' own.
type Tensor struct {
	Name  string // as Hugging Face names the tensors of a Llama
	Shape []int  // one length for a vector, two for a matrix
	Data  []float32
}

// NewWeights returns weights that are all 0.
func NewWeights(a Arch) *Weights {
	w := &Weights{Arch: a, Layers: make([]LayerWeights, a.Layers)}
	for _, f := range w.fields() {
		*f.data = make([]float32, size(f.shape))
	}
	return w
}

// Tensors lists all weights in a fixed order: the embedding, layer by layer, the last normalisation, the head.
func (w *Weights) Tensors() []Tensor {
	var all []Tensor
	for _, f := range w.fields() {
		all = append(all, Tensor{Name: f.name, Shape: f.shape, Data: *f.data})
	}
	return all
}

// Digest is the SHA-256 over all tensors in their order: name, lengths and data, each number in 4 bytes, the lowest
// first, and a 0 behind the name.
func (w *Weights) Digest() [sha256.Size]byte {
	h := sha256.New()
	var b []byte
	for _, t := range w.Tensors() {
		b = append(append(b[:0], t.Name...), 0)
		for _, n := range t.Shape {
			b = binary.LittleEndian.AppendUint32(b, uint32(n))
		}
		for _, x := range t.Data {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
		h.Write(b)
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// check names the first tensor whose length does not fit the shape.
func (w *Weights) check() error {
	if err := w.Arch.Validate(); err != nil {
		return err
	}
	if len(w.Layers) != w.Arch.Layers {
		return fmt.Errorf("llama: weights of %d layers, expected %d", len(w.Layers), w.Arch.Layers)
	}
	for _, f := range w.fields() {
		if len(*f.data) != size(f.shape) {
			return fmt.Errorf("llama: tensor %s has %d numbers, expected %v", f.name, len(*f.data), f.shape)
		}
	}
	return nil
}

// field is a tensor and where its data belongs.
type field struct {
	name  string
	shape []int
	data  *[]float32
}

func (w *Weights) fields() []field {
	a := &w.Arch
	all := []field{{"model.embed_tokens.weight", []int{a.Vocab, a.Dim}, &w.Embed}}
	for i := range w.Layers {
		l, wide, narrow := &w.Layers[i], a.Heads*a.HeadDim, a.KVHeads*a.HeadDim
		for _, f := range []field{
			{"input_layernorm", []int{a.Dim}, &l.AttnNorm},
			{"self_attn.q_proj", []int{wide, a.Dim}, &l.Q},
			{"self_attn.k_proj", []int{narrow, a.Dim}, &l.K},
			{"self_attn.v_proj", []int{narrow, a.Dim}, &l.V},
			{"self_attn.o_proj", []int{a.Dim, wide}, &l.O},
			{"post_attention_layernorm", []int{a.Dim}, &l.MLPNorm},
			{"mlp.gate_proj", []int{a.Hidden, a.Dim}, &l.Gate},
			{"mlp.up_proj", []int{a.Hidden, a.Dim}, &l.Up},
			{"mlp.down_proj", []int{a.Dim, a.Hidden}, &l.Down},
		} {
			f.name = fmt.Sprintf("model.layers.%d.%s.weight", i, f.name)
			all = append(all, f)
		}
	}
	all = append(all, field{"model.norm.weight", []int{a.Dim}, &w.Norm})
	if !a.Tied {
		all = append(all, field{"lm_head.weight", []int{a.Vocab, a.Dim}, &w.Head})
	}
	return all
}

func size(shape []int) int {
	n := 1
	for _, x := range shape {
		n *= x
	}
	return n
}
