package safetensors

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
)

const (
	metadataKey = "__metadata__"
	float32Type = "F32"
)

// entry is a tensor in the header.
type entry struct {
	DType   string `json:"dtype"`
	Shape   []int  `json:"shape"`
	Offsets []int  `json:"data_offsets"`
}

// Decode reads a file.
func Decode(file []byte) (*File, error) {
	header, data, err := split(file)
	if err != nil {
		return nil, fmt.Errorf("safetensors: %w", err)
	}
	f, entries, err := parse(header)
	if err != nil {
		return nil, fmt.Errorf("safetensors: header: %w", err)
	}
	if err := f.fill(entries, data); err != nil {
		return nil, fmt.Errorf("safetensors: %w", err)
	}
	return f, nil
}

func split(file []byte) (header, data []byte, err error) {
	if len(file) < 8 {
		return nil, nil, fmt.Errorf("the file has %d bytes, expected at least the 8 of the header's length", len(file))
	}
	n, rest := binary.LittleEndian.Uint64(file), file[8:]
	if n > MostHeader {
		return nil, nil, fmt.Errorf("the header claims %d bytes, at most %d are read", n, MostHeader)
	}
	if n > uint64(len(rest)) {
		return nil, nil, fmt.Errorf("the header claims %d bytes, the file has %d behind its length", n, len(rest))
	}
	return rest[:n], rest[n:], nil
}

// named is an entry with its name.
type named struct {
	name string
	entry
}

// parse reads the header key by key, for a map would hide a name that stands there twice.
func parse(header []byte) (*File, []named, error) {
	in := json.NewDecoder(bytes.NewReader(header))
	if open, err := in.Token(); err != nil || open != json.Delim('{') {
		return nil, nil, fmt.Errorf("expected a JSON object, found %.20q", header)
	}
	f, entries := &File{}, []named(nil)
	seen := map[string]bool{}
	for in.More() {
		key, err := in.Token()
		if err != nil {
			return nil, nil, err
		}
		name := key.(string) // the decoder takes nothing else for a key
		if seen[name] {
			return nil, nil, fmt.Errorf("%q stands there twice", name)
		}
		seen[name] = true
		if name == metadataKey {
			err = in.Decode(&f.Metadata)
		} else {
			entries = append(entries, named{name: name})
			err = in.Decode(&entries[len(entries)-1].entry)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%q: %w", name, err)
		}
	}
	if _, err := in.Token(); err != nil {
		return nil, nil, err
	}
	if rest := bytes.TrimLeft(header[in.InputOffset():], " "); len(rest) > 0 {
		return nil, nil, fmt.Errorf("expected only spaces behind the object, found %.20q", rest)
	}
	return f, entries, nil
}

// fill reads the data. The tensors must cover all of it, each part once, so memory is bounded by the file.
func (f *File) fill(entries []named, data []byte) error {
	for _, e := range entries {
		if err := e.check(len(data)); err != nil {
			return fmt.Errorf("tensor %s: %w", e.name, err)
		}
	}
	slices.SortStableFunc(entries, func(a, b named) int { return slices.Compare(a.Offsets, b.Offsets) })
	end := 0
	for _, e := range entries {
		if e.Offsets[0] != end {
			return fmt.Errorf("tensor %s begins at byte %d of the data, expected %d, where the one before it ends",
				e.name, e.Offsets[0], end)
		}
		end = e.Offsets[1]
		f.Tensors = append(f.Tensors, Tensor{e.name, e.Shape, floats(data[e.Offsets[0]:end])})
	}
	if end != len(data) {
		return fmt.Errorf("%d bytes of data belong to no tensor", len(data)-end)
	}
	return nil
}

func (e *entry) check(available int) error {
	if e.DType != float32Type {
		return fmt.Errorf("its type is %q, only %s is read", e.DType, float32Type)
	}
	if len(e.Offsets) != 2 || e.Offsets[0] < 0 || e.Offsets[1] < e.Offsets[0] {
		return fmt.Errorf("its data_offsets are %v, expected [begin, end]", e.Offsets)
	}
	if e.Offsets[1] > available {
		return fmt.Errorf("it ends at byte %d of the data, which has %d: the file is cut off", e.Offsets[1], available)
	}
	if e.Shape == nil {
		return errors.New("it has no shape")
	}
	n, ok := elements(e.Shape)
	have := e.Offsets[1] - e.Offsets[0]
	if !ok || 4*n != have {
		return fmt.Errorf("the shape %v does not fit its %d bytes of data", e.Shape, have)
	}
	return nil
}

func floats(data []byte) []float32 {
	out := make([]float32, len(data)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return out
}
