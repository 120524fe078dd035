package llama2c

import (
	"encoding/binary"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/cache"
	"custody/model"
	"custody/model/llama"
)

// file is a header and as many numbers as are asked for: 0, 1, 2, ...
func file(numbers int, header ...int32) []byte {
	var out []byte
	for _, h := range header {
		out = binary.LittleEndian.AppendUint32(out, uint32(h))
	}
	for i := range numbers {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(i)))
	}
	return out
}

// A layer of width 8 with 1 head and 16 hidden: norms 8+8, q k v o 4 x 64, gate down up 3 x 128.
// Before it the embedding of 4 tokens, behind it the norm and the tables of 2 x 3 x 4.
const (
	tiny      = 4*8 + (8 + 4*64 + 8 + 3*128) + 8 + 24
	tinyHeads = 4 * 8
)

func TestArraysLieInTheOrderOfLlama2c(t *testing.T) {
	w, err := Read(file(tiny+tinyHeads, 8, 16, 1, 1, 1, -4, 3))
	require.NoError(t, err)
	require.Equal(t, llama.Arch{
		Dim: 8, Hidden: 16, Layers: 1, Heads: 1, KVHeads: 1, HeadDim: 8, Vocab: 4, MaxLen: 3, RopeBase: 10000, Eps: 1e-5,
	}, w.Arch)
	l := w.Layers[0]
	at := 0
	for _, part := range []struct {
		name string
		data []float32
		n    int
	}{
		{"embedding", w.Embed, 32}, {"attention norm", l.AttnNorm, 8}, {"q", l.Q, 64}, {"k", l.K, 64}, {"v", l.V, 64},
		{"o", l.O, 64}, {"mlp norm", l.MLPNorm, 8}, {"gate", l.Gate, 128}, {"down", l.Down, 128}, {"up", l.Up, 128},
		{"norm", w.Norm, 8}, {"tables", nil, 24}, {"head", w.Head, 32},
	} {
		if part.data != nil {
			require.Len(t, part.data, part.n, part.name)
			require.Equal(t, float32(at), part.data[0], part.name)
			require.Equal(t, float32(at+part.n-1), part.data[part.n-1], part.name)
		}
		at += part.n
	}
}

// A positive vocabulary means that the head is the embedding.
func TestAHeadCanBeTied(t *testing.T) {
	w, err := Read(file(tiny, 8, 16, 1, 1, 1, 4, 3))
	require.NoError(t, err)
	require.True(t, w.Arch.Tied)
	require.Nil(t, w.Head)
}

func TestAFileThatDoesNotFitIsRefusedInWords(t *testing.T) {
	for name, c := range map[string]struct {
		file []byte
		says string
	}{
		"empty":           {nil, "the file has 0 bytes, expected at least the 28 of the header"},
		"cut off":         {file(tiny-25, 8, 16, 1, 1, 1, 4, 3), "array norm has the shape [8], only 7 numbers are left"},
		"a byte too much": {append(file(tiny, 8, 16, 1, 1, 1, 4, 3), 0), "1 bytes are left behind the array rotary tables"},
		"no heads":        {file(0, 8, 16, 1, 0, 1, 4, 3), "the header says 0 heads for a width of 8"},
		"no layers":       {file(0, 8, 16, 0, 1, 1, 4, 3), "header: llama: Layers is 0, expected a positive multiple of 1"},
		"absurd": {
			file(1, 1<<30, 1<<30, 1<<30, 1<<20, 1<<20, 1<<30, 1<<30),
			"array embedding has the shape [1073741824 1073741824], only 1 numbers are left",
		},
		"least number": {file(0, 8, 16, 1, 1, 1, math.MinInt32, 3), "array embedding has the shape [2147483648 8]"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Read(c.file)
			require.ErrorContains(t, err, "llama2c: ")
			require.ErrorContains(t, err, c.says)
		})
	}
}

func FuzzReadNeverPanics(f *testing.F) {
	f.Add(file(tiny, 8, 16, 1, 1, 1, 4, 3))
	f.Add(file(tiny+tinyHeads, 8, 16, 1, 1, 1, -4, 3))
	f.Add(file(3, 1<<30, 8, 1<<30, 1, 1, 5, 8))
	f.Fuzz(func(t *testing.T, b []byte) {
		w, err := Read(b)
		if err != nil {
			return
		}
		n := 0
		for _, tensor := range w.Tensors() {
			n += len(tensor.Data)
		}
		if 4*n > len(b) {
			t.Fatalf("%d numbers out of %d bytes", n, len(b))
		}
	})
}

// stories lists where the smallest TinyStories model may lie. It is not part of the project.
var stories = []string{"../../../shared/checkpoints", "../../../../shared/checkpoints"}

func readStories(t *testing.T, name string) []byte {
	t.Helper()
	for _, folder := range stories {
		if text, err := os.ReadFile(folder + "/" + name); err == nil {
			return text
		}
	}
	t.Skipf("%s is not in %s", name, strings.Join(stories, " or "))
	return nil
}

// The smallest TinyStories model, greedily, from the begin token.
func TestTheSmallestStoryBeginsAsItShould(t *testing.T) {
	w, err := Read(readStories(t, "stories260K.bin"))
	require.NoError(t, err)
	words := vocabulary(readStories(t, "tok512.bin"), w.Arch.Vocab)
	transformer, err := llama.New(w)
	require.NoError(t, err)
	const want = "Once upon a time, there was a little girl named Lily."
	mem := cache.NewMemory(w.Arch.Layout(1, 64))
	text, next := "", cache.Token(1)
	for pos := int32(0); len(text) < len(" "+want); pos++ {
		b := model.Batch{Rows: []model.Row{{Used: cache.Used{
			Start: pos, N: 1, Input: []cache.Token{next}, Table: []cache.BlockID{0},
		}}}}
		transformer.Logits(&b, mem, func(_ int, _ int32, logits []float32) { next = likeliest(logits) })
		text += words[next]
	}
	require.Equal(t, " "+want, text)
}

func likeliest(logits []float32) cache.Token {
	best := 0
	for i, x := range logits {
		if x > logits[best] {
			best = i
		}
	}
	return cache.Token(best)
}

// vocabulary reads a tokenizer of llama2.c: the longest length, then score, length and bytes of every token.
func vocabulary(file []byte, n int) []string {
	words := make([]string, n)
	at := file[4:]
	for i := range words {
		size := binary.LittleEndian.Uint32(at[4:])
		words[i], at = string(at[8:8+size]), at[8+size:]
	}
	return words
}
