// Package safetensors reads and writes named arrays of float32 in the format of that name:
//
//	8 bytes: length of the header, the lowest first
//	header:  {"__metadata__": {...}, "name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, ...}
//	data:    the arrays, one behind the other, without gaps
//
// (https://huggingface.co/docs/safetensors). A reader believes nothing: whatever the bytes are, it returns an error that
// names the tensor, and what it sets aside is in proportion to the bytes that are there.
package safetensors

import (
	"fmt"
	"math"
	"slices"
)

// Tensor is one array, row-major.
type Tensor struct {
	Name  string
	Shape []int
	Data  []float32
}

// File is what a file holds.
type File struct {
	Metadata map[string]string
	Tensors  []Tensor // in the order of their data
}

// MostHeader is the longest header that is read, in bytes. The format's own bound is a hundred million.
const MostHeader = 1 << 20

// Tensor finds a tensor by its name and checks its shape.
func (f *File) Tensor(name string, shape ...int) ([]float32, error) {
	for i := range f.Tensors {
		t := &f.Tensors[i]
		if t.Name != name {
			continue
		}
		if !slices.Equal(t.Shape, shape) {
			return nil, fmt.Errorf("safetensors: tensor %s has the shape %v, expected %v", name, t.Shape, shape)
		}
		return t.Data, nil
	}
	return nil, fmt.Errorf("safetensors: tensor %s of shape %v is missing; the file has %d others", name, shape, len(f.Tensors))
}

// elements is the number of elements of a shape; false if no memory can hold them.
func elements(shape []int) (int, bool) {
	n := 1
	for _, d := range shape {
		if d < 0 || d > 0 && n > math.MaxInt/4/d {
			return 0, false
		}
		n *= d
	}
	return n, true
}
