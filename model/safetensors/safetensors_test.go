package safetensors

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/model/llama"
)

// raw is a file of a header as text and data.
func raw(header string, data ...byte) []byte {
	out := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(out, header...), data...)
}

// Written by hand after the format's page: 1 is 0x3f800000, -2 is 0xc0000000.
var byHand = raw(`{"__metadata__":{"a":"b"},"w":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]}}  `,
	0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0)

func TestAFileHasItsLengthItsHeaderAndItsData(t *testing.T) {
	f := &File{Metadata: map[string]string{"a": "b"}, Tensors: []Tensor{{"w", []int{2, 1}, []float32{1, -2}}}}
	got, err := f.Encode()
	require.NoError(t, err)
	if n := len(got) - 8; n%8 != 0 {
		t.Errorf("the data begins at byte %d, expected a multiple of 8", n)
	}
	require.Equal(t, bytes.TrimRight(byHand[8:len(byHand)-8], " "), bytes.TrimRight(got[8:len(got)-8], " "))
	require.Equal(t, byHand[len(byHand)-8:], got[len(got)-8:])
	back, err := Decode(byHand)
	require.NoError(t, err)
	require.Equal(t, f, back)
}

func TestWeightsSurviveAFile(t *testing.T) {
	w := llama.NewWeights(llama.Arch{
		Dim: 8, Layers: 2, Heads: 2, KVHeads: 1, HeadDim: 8, Hidden: 24, Vocab: 5, MaxLen: 4, RopeBase: 100, Eps: 1e-5,
	})
	n := float32(0)
	for _, tensor := range w.Tensors() {
		for i := range tensor.Data {
			n++
			tensor.Data[i] = n
		}
	}
	bytes, err := FromWeights(w).Encode()
	require.NoError(t, err)
	f, err := Decode(bytes)
	require.NoError(t, err)
	back, err := f.Weights()
	require.NoError(t, err)
	require.Equal(t, w, back)
}

func TestBrokenFilesAreRefusedInWords(t *testing.T) {
	one := func(entry string, data ...byte) []byte { return raw(`{"w":`+entry+`}`, data...) }
	for name, c := range map[string]struct {
		file []byte
		says string
	}{
		"empty": {nil, "the file has 0 bytes, expected at least the 8"},
		"huge header": {[]byte{255, 255, 255, 255, 255, 255, 255, 255, '{'},
			"the header claims 18446744073709551615 bytes, at most 1048576 are read"},
		"cut header":  {[]byte{9, 0, 0, 0, 0, 0, 0, 0, '{', '}'}, "the header claims 9 bytes, the file has 2"},
		"no JSON":     {raw("nonsense"), "header: expected a JSON object, found \"nonsense\""},
		"open object": {raw(`{"w":{"dtype":"F32","shape":[],"data_offsets":[0,4]}`, 0, 0, 0, 0), "header: "},
		"behind":      {raw(`{} x`), `expected only spaces behind the object, found "x"`},
		"twice":       {raw(`{"w":{},"w":{}}`), `header: "w" stands there twice`},
		"no object":   {raw(`{"w":7}`), `header: "w": json`},
		"half": {one(`{"dtype":"BF16","shape":[1],"data_offsets":[0,2]}`, 0, 0),
			`tensor w: its type is "BF16", only F32 is read`},
		"no offsets": {one(`{"dtype":"F32","shape":[1]}`), "tensor w: its data_offsets are [], expected [begin, end]"},
		"backwards":  {one(`{"dtype":"F32","shape":[1],"data_offsets":[4,0]}`), "tensor w: its data_offsets are [4 0]"},
		"no shape":   {one(`{"dtype":"F32","data_offsets":[0,4]}`, 0, 0, 0, 0), "tensor w: it has no shape"},
		"cut off": {one(`{"dtype":"F32","shape":[2],"data_offsets":[0,8]}`, 0, 0, 0, 0),
			"tensor w: it ends at byte 8 of the data, which has 4: the file is cut off"},
		"shape": {one(`{"dtype":"F32","shape":[2,3],"data_offsets":[0,4]}`, 0, 0, 0, 0),
			"tensor w: the shape [2 3] does not fit its 4 bytes"},
		"overflow": {one(`{"dtype":"F32","shape":[4294967296,4294967296,4],"data_offsets":[0,0]}`),
			"tensor w: the shape [4294967296 4294967296 4] does not fit its 0 bytes"},
		"negative": {one(`{"dtype":"F32","shape":[-1,-1],"data_offsets":[0,4]}`, 0, 0, 0, 0), "tensor w: the shape [-1 -1]"},
		"gap": {one(`{"dtype":"F32","shape":[1],"data_offsets":[4,8]}`, 0, 0, 0, 0, 0, 0, 0, 0),
			"tensor w begins at byte 4 of the data, expected 0"},
		"overlap": {raw(`{"v":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"w":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}`,
			0, 0, 0, 0, 0, 0, 0, 0), "tensor w begins at byte 4 of the data, expected 8"},
		"left over": {one(`{"dtype":"F32","shape":[1],"data_offsets":[0,4]}`, 0, 0, 0, 0, 1), "1 bytes of data belong to no tensor"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Decode(c.file)
			require.ErrorContains(t, err, "safetensors: ")
			require.ErrorContains(t, err, c.says)
		})
	}
}

// An empty tensor may lie where another one begins.
func TestAnEmptyTensorTakesNoRoom(t *testing.T) {
	f, err := Decode(raw(`{"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},`+
		`"v":{"dtype":"F32","shape":[3,0],"data_offsets":[0,0]}}`,
		0, 0, 0, 0))
	require.NoError(t, err)
	require.Equal(t, []Tensor{{"v", []int{3, 0}, []float32{}}, {"w", []int{1}, []float32{0}}}, f.Tensors)
}

func small() *File {
	return FromWeights(llama.NewWeights(llama.Arch{
		Dim: 8, Layers: 1, Heads: 1, KVHeads: 1, HeadDim: 8, Hidden: 8, Vocab: 2, MaxLen: 1, RopeBase: 1, Eps: 0.5,
	}))
}

func TestATransformerThatDoesNotFitIsRefusedWithBothShapes(t *testing.T) {
	const gate = "model.layers.0.mlp.gate_proj.weight"
	at := func(f *File, name string) int {
		for i := range f.Tensors {
			if f.Tensors[i].Name == name {
				return i
			}
		}
		t.Fatal(name)
		return 0
	}
	for name, c := range map[string]struct {
		spoil func(f *File)
		says  string
	}{
		"wrong shape": {func(f *File) { f.Tensors[at(f, gate)].Shape = []int{4, 16} },
			"tensor " + gate + " has the shape [4 16], expected [8 8]"},
		"missing": {func(f *File) { f.Tensors[at(f, gate)].Name = "other" },
			"tensor " + gate + " of shape [8 8] is missing; the file has 12 others"},
		"one more": {func(f *File) { f.Tensors = append(f.Tensors, Tensor{"other", []int{1}, []float32{1}}) },
			"tensor other of shape [1] has no place in the transformer"},
		"no metadata": {func(f *File) { f.Metadata = nil }, "metadata custody.arch: it is missing"},
		"no numbers":  {func(f *File) { f.Metadata[shapeKey] = "[]" }, "metadata custody.arch: json"},
		"no shape":    {func(f *File) { f.Metadata[shapeKey] = "{}" }, "metadata custody.arch: llama: Dim is 0"},
		"absurd": {func(f *File) {
			f.Metadata[shapeKey] = strings.Replace(f.Metadata[shapeKey], `"Vocab":2`, `"Vocab":2000000000`, 1)
		},
			"numbers, the file 504"},
		"endless": {func(f *File) {
			f.Metadata[shapeKey] = strings.Replace(f.Metadata[shapeKey], `"MaxLen":1`, `"MaxLen":2000000000`, 1)
		},
			"MaxLen is 2000000000, expected at most 1048576"},
	} {
		t.Run(name, func(t *testing.T) {
			f := small()
			c.spoil(f)
			_, err := f.Weights()
			require.ErrorContains(t, err, c.says)
		})
	}
}

func TestWhatCannotBeReadIsNotWritten(t *testing.T) {
	for says, f := range map[string]*File{
		"tensor w has 1 elements, its shape [2] asks for 2": {Tensors: []Tensor{{"w", []int{2}, []float32{1}}}},
		"two entries are called w": {Tensors: []Tensor{{Name: "w", Shape: []int{0}},
			{Name: "w", Shape: []int{0}}}},
	} {
		_, err := f.Encode()
		require.ErrorContains(t, err, says)
	}
}

func FuzzDecodeNeverPanics(f *testing.F) {
	f.Add(byHand)
	whole, _ := small().Encode()
	f.Add(whole)
	f.Add([]byte{255, 255, 255, 255, 255, 255, 255, 127})
	f.Add(raw(`{"w":{"dtype":"F32","shape":[9223372036854775807,2],"data_offsets":[0,8]}}`, 0, 0, 0, 0, 0, 0, 0, 0))
	f.Fuzz(func(t *testing.T, b []byte) {
		file, err := Decode(b)
		if err != nil {
			return
		}
		again, err := file.Encode()
		require.NoError(t, err)
		back, err := Decode(again)
		require.NoError(t, err)
		reEncoded, err := back.Encode()
		require.NoError(t, err)
		require.Equal(t, again, reEncoded)
		if _, err := file.Weights(); err != nil {
			require.NotEmpty(t, err.Error())
		}
	})
}
