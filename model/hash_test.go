package model

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"custody/cache"
)

// bench is a memory and a table that covers it.
func bench(blocks, blockTokens int32) (*cache.Memory, []cache.BlockID) {
	mem := cache.NewMemory(cache.Layout{Blocks: blocks, Layers: HashLayers, BlockTokens: blockTokens, TokenWords: 1})
	table := make([]cache.BlockID, blocks)
	for i := range table {
		table[i] = cache.BlockID(int(blocks) - 1 - i) // not in order: positions must go through the table
	}
	return mem, table
}

// answerOf computes a whole text in chunks of the given sizes and returns the token after it.
func answerOf(text []cache.Token, chunks []int32, seed uint64, vocab int32) cache.Token {
	h := NewHash(vocab)
	mem, table := bench(16, 4)
	at := int32(0)
	var row Row
	for _, n := range chunks {
		row = Row{Sample: at+n == int32(len(text)), Used: cache.Used{
			Start: at, N: n, Input: text[at : at+n], Table: table, Sampling: cache.Sampling{Seed: seed},
		}}
		b := Batch{Rows: []Row{row}}
		h.Forward(&b, mem)
		row = b.Rows[0]
		at += n
	}
	return row.Next[0]
}

// definition computes the same straight from the comment of Hash: no memory, no chunks.
func definition(text []cache.Token, seed uint64, vocab int32) cache.Token {
	spread := func(x uint64) uint64 {
		x ^= x >> 33
		x *= 0xff51afd7ed558ccd
		x ^= x >> 33
		x *= 0xc4ceb9fe1a85ec53
		return x ^ x>>33
	}
	const start, prime = 0x9e3779b97f4a7c15, 0xff51afd7ed558ccd
	base := spread(spread(spread(start))) // no adapter, no epoch, no layout
	by := func(x, p uint64) uint64 {
		k, v := uint32(0x9e3779b1+0x85ebca6a*p), uint32(0xc2b2ae3d+0x27d4eb2e*p)
		return uint64(uint32(x))*uint64(k) + x>>32*uint64(v)
	}
	layer0, layer1 := uint64(0), uint64(0)
	for p, t := range text {
		layer0 += by(spread(base^uint64(t)<<32^uint64(p)), uint64(p))
		layer1 += by(spread(layer0), uint64(p))
	}
	share := new(big.Int).SetUint64(spread(layer1 ^ (seed+start)*prime))
	return cache.Token(share.Mul(share, big.NewInt(int64(vocab))).Rsh(share, 64).Int64())
}

func TestTheAnswerIsThatOfTheDefinitionHoweverThePromptIsCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOfN(rapid.Map(rapid.Int32Range(0, 255), func(x int32) cache.Token { return cache.Token(x) }), 1, 60).Draw(t,
			"text")
		seed := rapid.Uint64().Draw(t, "seed")
		var chunks []int32
		for left := int32(len(text)); left > 0; {
			n := rapid.Int32Range(1, left).Draw(t, "chunk")
			chunks, left = append(chunks, n), left-n
		}
		require.Equal(t, definition(text, seed, 256), answerOf(text, chunks, seed, 256))
	})
}

func TestARowsAnswerDoesNotDependOnWhoElseIsInTheBatch(t *testing.T) {
	h := NewHash(256)
	mem, table := bench(8, 4)
	mine := Row{Used: cache.Used{N: 5, Input: []cache.Token{1, 2, 3, 4, 5}, Table: table[:2]}, Sample: true}
	other := Row{Used: cache.Used{N: 7, Input: []cache.Token{9, 9, 9, 9, 9, 9, 9}, Table: table[4:6],
		Req: cache.Req{Slot: 1}}, Sample: true}
	alone := Batch{Rows: []Row{mine}}
	h.Forward(&alone, mem)
	mem.Reset()
	together := Batch{Rows: []Row{other, mine}}
	h.Forward(&together, mem)
	require.Equal(t, alone.Rows[0].Next[0], together.Rows[1].Next[0])
}

// One word of one slot that is wrong changes what is sampled.
func TestEverySlotThatIsReadShapesTheAnswer(t *testing.T) {
	text := []cache.Token{1, 2, 3, 4, 5, 6}
	for layer := range HashLayers {
		for wrong := int32(0); wrong < 5; wrong++ {
			mem, table := bench(2, 4)
			h := NewHash(1 << 16)
			first := Batch{Rows: []Row{{Used: cache.Used{N: 5, Input: text[:5], Table: table}}}}
			h.Forward(&first, mem)
			v := mem.Write(&cache.Used{Table: table, Start: wrong, N: 1}, layer)
			k, _ := v.Block(0)
			k[0] ^= 1
			last := Batch{Rows: []Row{{Used: cache.Used{Start: 5, N: 1, Input: text[5:], Table: table}, Sample: true}}}
			h.Forward(&last, mem)
			require.NotEqual(t, definition(text, 0, 1<<16), last.Rows[0].Next[0], "layer %d, position %d", layer, wrong)
		}
	}
}

// A slot in the place of another changes what is sampled, though all that is read is the same.
func TestTwoSlotsThatChangePlacesChangeTheAnswer(t *testing.T) {
	text := []cache.Token{1, 2, 3, 4, 5, 6}
	for layer := range HashLayers {
		for a, b := range []int32{1, 2, 3, 4, 0} {
			mem, table := bench(2, 4)
			h := NewHash(1 << 16)
			first := Batch{Rows: []Row{{Used: cache.Used{N: 5, Input: text[:5], Table: table}}}}
			h.Forward(&first, mem)
			v := mem.Write(&cache.Used{Table: table, Start: int32(a), N: 1}, layer)
			w := mem.Write(&cache.Used{Table: table, Start: b, N: 1}, layer)
			kA, vA := v.Block(0)
			kB, vB := w.Block(0)
			kA[0], kB[0], vA[0], vB[0] = kB[0], kA[0], vB[0], vA[0]
			last := Batch{Rows: []Row{{Used: cache.Used{Start: 5, N: 1, Input: text[5:], Table: table}, Sample: true}}}
			h.Forward(&last, mem)
			require.NotEqual(t, definition(text, 0, 1<<16), last.Rows[0].Next[0], "layer %d, positions %d and %d", layer, a, b)
		}
	}
}

// A row may read what another row of the same batch writes: all writes of a layer come before its reads.
func TestARowReadsWhatAnotherRowOfTheSamePassWrites(t *testing.T) {
	mem, table := bench(4, 4)
	text := []cache.Token{7, 7, 7, 7, 8}
	reader := Row{Used: cache.Used{Start: 4, N: 1, Input: text[4:], Table: []cache.BlockID{table[0], table[1]}}, Sample: true}
	writer := Row{Used: cache.Used{N: 4, Input: text[:4], Table: table[:1], Req: cache.Req{Slot: 1}}}
	b := Batch{Rows: []Row{reader, writer}}
	NewHash(256).Forward(&b, mem)
	require.Equal(t, definition(text, 0, 256), b.Rows[0].Next[0])
}
