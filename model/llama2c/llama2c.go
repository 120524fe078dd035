// Package llama2c reads the .bin files of llama2.c, version 0, in float32:
//
//	7 whole numbers of 4 bytes   dim, hidden, layers, heads, KV heads, vocabulary (negative: the head is not tied), length
//	arrays, layer by layer each  embedding, norms, Q, K, V, O, norms, gate, down, up, last norm, rotary tables, head
//
// (https://github.com/karpathy/llama2.c, export.py.) The rotary tables are skipped: the model computes its own. A file that
// is too short or too long for its header is refused before anything is set aside for it.
package llama2c

import (
	"encoding/binary"
	"fmt"
	"math"

	"custody/model/llama"
)

// What the format does not say, its programs assume.
const (
	ropeBase = 10000
	eps      = 1e-5
)

const headerBytes = 7 * 4

// Read makes weights of a file. A token is a number: the file has no tokenizer.
func Read(file []byte) (*llama.Weights, error) {
	arch, err := readArch(file)
	if err != nil {
		return nil, fmt.Errorf("llama2c: %w", err)
	}
	arrays, rest := layout(arch), file[headerBytes:]
	if err := measure(arrays, len(rest)); err != nil {
		return nil, fmt.Errorf("llama2c: %w", err)
	}
	w := llama.NewWeights(arch)
	for _, a := range arrays {
		for _, to := range a.of(w) {
			rest = take(to, rest)
		}
		rest = rest[4*a.skip:]
	}
	return w, nil
}

func readArch(file []byte) (llama.Arch, error) {
	if len(file) < headerBytes {
		return llama.Arch{}, fmt.Errorf("the file has %d bytes, expected at least the %d of the header", len(file), headerBytes)
	}
	var h [7]int
	for i := range h {
		h[i] = int(int32(binary.LittleEndian.Uint32(file[4*i:])))
	}
	dim, heads, vocab := h[0], h[3], h[5]
	if heads < 1 || dim%heads != 0 {
		return llama.Arch{}, fmt.Errorf("the header says %d heads for a width of %d, expected a divisor", heads, dim)
	}
	a := llama.Arch{
		Dim: dim, Hidden: h[1], Layers: h[2], Heads: heads, KVHeads: h[4], HeadDim: dim / heads, Vocab: max(vocab, -vocab),
		MaxLen: h[6], RopeBase: ropeBase, Eps: eps, Tied: vocab > 0,
	}
	if err := a.Validate(); err != nil {
		return a, fmt.Errorf("header: %w", err)
	}
	return a, nil
}

// array is a part of the file: the same tensor of every layer, or a single one.
type array struct {
	name  string
	shape []int
	of    func(w *llama.Weights) [][]float32
	skip  int // numbers that are passed over, after those that are read
}

// layout lists the arrays in the file's order.
func layout(a llama.Arch) []array {
	wide, narrow := a.Heads*a.HeadDim, a.KVHeads*a.HeadDim
	all := []array{
		single("embedding", func(w *llama.Weights) []float32 { return w.Embed }, a.Vocab, a.Dim),
		stack("attention norm", func(l *llama.LayerWeights) []float32 { return l.AttnNorm }, a.Layers, a.Dim),
		stack("q", func(l *llama.LayerWeights) []float32 { return l.Q }, a.Layers, wide, a.Dim),
		stack("k", func(l *llama.LayerWeights) []float32 { return l.K }, a.Layers, narrow, a.Dim),
		stack("v", func(l *llama.LayerWeights) []float32 { return l.V }, a.Layers, narrow, a.Dim),
		stack("o", func(l *llama.LayerWeights) []float32 { return l.O }, a.Layers, a.Dim, wide),
		stack("mlp norm", func(l *llama.LayerWeights) []float32 { return l.MLPNorm }, a.Layers, a.Dim),
		stack("gate", func(l *llama.LayerWeights) []float32 { return l.Gate }, a.Layers, a.Hidden, a.Dim),
		stack("down", func(l *llama.LayerWeights) []float32 { return l.Down }, a.Layers, a.Dim, a.Hidden),
		stack("up", func(l *llama.LayerWeights) []float32 { return l.Up }, a.Layers, a.Hidden, a.Dim),
		single("norm", func(w *llama.Weights) []float32 { return w.Norm }, a.Dim),
		{name: "rotary tables", shape: []int{2, a.MaxLen, a.HeadDim / 2}, skip: a.MaxLen * a.HeadDim, of: nothing},
	}
	if !a.Tied {
		all = append(all, single("head", func(w *llama.Weights) []float32 { return w.Head }, a.Vocab, a.Dim))
	}
	return all
}

func single(name string, pick func(*llama.Weights) []float32, shape ...int) array {
	return array{name: name, shape: shape, of: func(w *llama.Weights) [][]float32 { return [][]float32{pick(w)} }}
}

func stack(name string, pick func(*llama.LayerWeights) []float32, shape ...int) array {
	return array{name: name, shape: shape, of: func(w *llama.Weights) [][]float32 {
		var all [][]float32
		for i := range w.Layers {
			all = append(all, pick(&w.Layers[i]))
		}
		return all
	}}
}

func nothing(*llama.Weights) [][]float32 { return nil }

// measure checks that the arrays fill the data exactly.
func measure(arrays []array, bytes int) error {
	left := bytes / 4
	for _, a := range arrays {
		n := 1
		for _, d := range a.shape {
			if n > left/d { // no length is 0
				return fmt.Errorf("array %s has the shape %v, only %d numbers are left: the file is cut off, or its header is wrong",
					a.name, a.shape, left)
			}
			n *= d
		}
		left -= n
	}
	if extra := 4*left + bytes%4; extra > 0 {
		return fmt.Errorf("%d bytes are left behind the array %s", extra, arrays[len(arrays)-1].name)
	}
	return nil
}

// take reads numbers and returns what is left.
func take(to []float32, from []byte) []byte {
	for i := range to {
		to[i] = math.Float32frombits(binary.LittleEndian.Uint32(from[4*i:]))
	}
	return from[4*len(to):]
}
