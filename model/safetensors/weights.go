package safetensors

import (
	"encoding/json"
	"fmt"

	"custody/model/llama"
)

// shapeKey is where the metadata says what transformer the tensors make.
const shapeKey = "custody.arch"

// mostPositions bounds what a transformer may ask to make room for.
const mostPositions = 1 << 20

// FromWeights is a transformer as a file. The rows of Q and K keep the model's order, which is not that of
// Hugging Face: the two numbers that a rotary position turns together are neighbours.
func FromWeights(w *llama.Weights) *File {
	shape, _ := json.Marshal(w.Arch) // numbers and a bool can be written
	f := &File{Metadata: map[string]string{shapeKey: string(shape)}}
	for _, t := range w.Tensors() {
		f.Tensors = append(f.Tensors, Tensor{t.Name, t.Shape, t.Data})
	}
	return f
}

// Weights is the transformer of a file that FromWeights made.
func (f *File) Weights() (*llama.Weights, error) {
	a, err := f.arch()
	if err != nil {
		return nil, fmt.Errorf("safetensors: metadata %s: %w", shapeKey, err)
	}
	w := llama.NewWeights(a)
	known := map[string]bool{}
	for _, t := range w.Tensors() {
		data, err := f.Tensor(t.Name, t.Shape...)
		if err != nil {
			return nil, err
		}
		copy(t.Data, data)
		known[t.Name] = true
	}
	for _, t := range f.Tensors {
		if !known[t.Name] {
			return nil, fmt.Errorf("safetensors: tensor %s of shape %v has no place in the transformer", t.Name, t.Shape)
		}
	}
	return w, nil
}

// arch reads the shape and refuses one that asks for more numbers than the file has.
func (f *File) arch() (llama.Arch, error) {
	var a llama.Arch
	text, ok := f.Metadata[shapeKey]
	if !ok {
		return a, fmt.Errorf("it is missing")
	}
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		return a, err
	}
	if err := a.Validate(); err != nil {
		return a, err
	}
	if a.MaxLen > mostPositions {
		return a, fmt.Errorf("MaxLen is %d, expected at most %d", a.MaxLen, mostPositions)
	}
	have := 0
	for _, t := range f.Tensors {
		have += len(t.Data)
	}
	if need := numbers(a); need > float64(have) {
		return a, fmt.Errorf("a transformer of the shape %s has %.0f numbers, the file %d", text, need, have)
	}
	return a, nil
}

// numbers is how many a transformer has, at least; in floating point, for the shape may be absurd.
func numbers(a llama.Arch) float64 {
	dim, heads := float64(a.Dim), float64(a.Heads)*float64(a.HeadDim)
	layer := float64(2*float64(dim*heads)) + float64(3*float64(dim*float64(a.Hidden)))
	return float64(dim*float64(a.Vocab)) + float64(layer*float64(a.Layers))
}
