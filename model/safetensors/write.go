package safetensors

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
)

// Encode is the file as bytes: the same for the same contents. Metadata comes in the order of its keys, tensors in the
// given one.
func (f *File) Encode() ([]byte, error) {
	header, err := f.header()
	if err != nil {
		return nil, err
	}
	out := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	out = append(out, header...)
	for _, t := range f.Tensors {
		for _, x := range t.Data {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
		}
	}
	return out, nil
}

// header is padded with spaces, so that the data begins at a multiple of 8.
func (f *File) header() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	if len(f.Metadata) > 0 {
		meta, err := json.Marshal(f.Metadata) // sorts the keys
		if err != nil {
			return nil, fmt.Errorf("safetensors: metadata: %w", err)
		}
		fmt.Fprintf(&out, "%q:%s,", metadataKey, meta)
	}
	at := 0
	var names []string
	for _, t := range f.Tensors {
		n, ok := elements(t.Shape)
		if !ok || n != len(t.Data) {
			return nil, fmt.Errorf("safetensors: tensor %s has %d elements, its shape %v asks for %d", t.Name, len(t.Data), t.Shape, n)
		}
		if t.Name == metadataKey || slices.Contains(names, t.Name) {
			return nil, fmt.Errorf("safetensors: two entries are called %s", t.Name)
		}
		names = append(names, t.Name)
		one, err := json.Marshal(entry{DType: float32Type, Shape: append([]int{}, t.Shape...), Offsets: []int{at, at + 4*n}})
		if err != nil {
			return nil, fmt.Errorf("safetensors: tensor %s: %w", t.Name, err)
		}
		name, _ := json.Marshal(t.Name) // a string can be written
		fmt.Fprintf(&out, "%s:%s,", name, one)
		at += 4 * n
	}
	if out.Len() > 1 {
		out.Truncate(out.Len() - 1)
	}
	out.WriteByte('}')
	for out.Len()%8 > 0 {
		out.WriteByte(' ')
	}
	return out.Bytes(), nil
}
