package llama

import (
	"fmt"

	"custody/cache"
)

// Arch is the shape of a transformer of the Llama family. Dim and HeadDim are multiples of 8.
type Arch struct {
	Dim      int // width of the stream that the layers add to
	Layers   int
	Heads    int     // query heads; a multiple of KVHeads
	KVHeads  int     // heads of K and V: each is read by Heads/KVHeads query heads
	HeadDim  int     // size of a head; Heads*HeadDim need not be Dim
	Hidden   int     // width of the feed-forward part
	Vocab    int     // tokens
	RopeBase float64 // of the rotary positions: pair i of a head turns by RopeBase^(-2i/HeadDim) a position
	Eps      float32 // of the normalisations
	MaxLen   int     // positions for which room is made beforehand
	Tied     bool    // the output matrix is the embedding
}

// Small is the shape of the transformer that the simulator uses: about 90,000 weights.
func Small() Arch {
	return Arch{
		Dim: 64, Layers: 2, Heads: 4, KVHeads: 2, HeadDim: 32, Hidden: 64, Vocab: 128,
		RopeBase: 10000, Eps: 1e-5, MaxLen: 288,
	}
}

// Validate names the first field that no transformer can have.
func (a Arch) Validate() error {
	for _, f := range []struct {
		name     string
		is, unit int
	}{
		{"Dim", a.Dim, 8}, {"Layers", a.Layers, 1}, {"Heads", a.Heads, max(a.KVHeads, 1)}, {"KVHeads", a.KVHeads, 1},
		{"HeadDim", a.HeadDim, 8}, {"Hidden", a.Hidden, 1}, {"Vocab", a.Vocab, 1}, {"MaxLen", a.MaxLen, 1},
	} {
		if f.is < 1 || f.is%f.unit != 0 {
			return fmt.Errorf("llama: %s is %d, expected a positive multiple of %d", f.name, f.is, f.unit)
		}
	}
	if !(a.RopeBase >= 1 && a.RopeBase <= 1e9) {
		return fmt.Errorf("llama: RopeBase is %v, expected a number from 1 to 1e9", a.RopeBase)
	}
	if !(a.Eps > 0 && a.Eps < 1) {
		return fmt.Errorf("llama: Eps is %v, expected a number between 0 and 1", a.Eps)
	}
	return nil
}

// Layout is that of the KV memory which the transformer needs.
func (a Arch) Layout(blocks, blockTokens int32) cache.Layout {
	return cache.Layout{
		Blocks: blocks, Layers: int32(a.Layers), BlockTokens: blockTokens, TokenWords: int32(a.KVHeads * a.HeadDim),
	}
}
