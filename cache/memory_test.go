package cache

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestPoisonIsAFiniteNumberThatDependsOnBlockAndSlot(t *testing.T) {
	m := NewMemory(Layout{Blocks: 64, Layers: 2, BlockTokens: 16, TokenWords: 4})
	seen := map[uint32]int{}
	for b := range BlockID(64) {
		m.poison(b)
		for _, w := range m.block(b) {
			x := float64(math.Float32frombits(w))
			require.False(t, math.IsNaN(x) || math.IsInf(x, 0), "block %d: %x", b, w)
			seen[w]++
		}
	}
	require.Greater(t, len(seen), len(m.words)*99/100, "words repeat")
}

func TestPoisonTouchesOneBlock(t *testing.T) {
	m := NewMemory(Layout{Blocks: 3, Layers: 1, BlockTokens: 2, TokenWords: 1})
	m.poison(1)
	require.Equal(t, make([]uint32, 4), m.block(0))
	require.Equal(t, make([]uint32, 4), m.block(2))
	require.NotContains(t, m.block(1), uint32(0))
}

// address is the formula of the layout: [block][layer][K,V][slot][word].
func address(x Layout, block BlockID, layer, plane int, slot, word int32) int {
	return (((int(block)*int(x.Layers)+layer)*2+plane)*int(x.BlockTokens)+int(slot))*int(x.TokenWords) + int(word)
}

func TestAViewHandsOutTheAddressesOfTheLayout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		small := rapid.Int32Range(1, 5)
		x := Layout{Blocks: small.Draw(t, "blocks"), Layers: small.Draw(t, "layers"), BlockTokens: small.Draw(t, "tokens"),
			TokenWords: small.Draw(t, "words")}
		m := NewMemory(x)
		for i := range m.words {
			m.words[i] = uint32(i) // each word tells its own address
		}
		table := rapid.SliceOfN(rapid.Map(rapid.Int32Range(0, x.Blocks-1), func(b int32) BlockID { return BlockID(b) }), 1, 4).Draw(t,
			"table")
		hi := rapid.Int32Range(0, int32(len(table))*x.BlockTokens).Draw(t, "hi")
		lo := rapid.Int32Range(0, hi).Draw(t, "lo")
		layer := int(rapid.Int32Range(0, x.Layers-1).Draw(t, "layer"))
		v := m.Write(&Used{Table: table, Start: lo, N: hi - lo}, layer)
		var keys, values []uint32
		for i := range v.Blocks() {
			k, val := v.Block(i)
			keys, values = append(keys, k...), append(values, val...)
		}
		var wantKeys, wantValues []uint32
		for p := lo; p < hi; p++ {
			for w := range x.TokenWords {
				wantKeys = append(wantKeys, uint32(address(x, table[p/x.BlockTokens], layer, 0, p%x.BlockTokens, w)))
				wantValues = append(wantValues, uint32(address(x, table[p/x.BlockTokens], layer, 1, p%x.BlockTokens, w)))
			}
		}
		require.Equal(t, wantKeys, keys)
		require.Equal(t, wantValues, values)
	})
}

func TestACopyCopiesAllLayersOfOneBlock(t *testing.T) {
	x := Layout{Blocks: 3, Layers: 2, BlockTokens: 2, TokenWords: 1}
	m := NewMemory(x)
	for i := range m.words {
		m.words[i] = uint32(i)
	}
	m.Copy(1, Copy{From: 2, To: 0})
	require.Equal(t, m.words[16:24], m.words[:8])
	require.Equal(t, []uint32{8, 9, 10, 11, 12, 13, 14, 15}, m.words[8:16])
}

// heard records accesses.
type heard struct {
	fixture
	runs []Run
}

func (h *heard) Touch(_ TouchKind, _ OpID, _ Req, _ int, run Run) { h.runs = append(h.runs, run) }

func TestTheAddressUsedIsTheAddressReported(t *testing.T) {
	m := NewMemory(Layout{Blocks: 2, Layers: 1, BlockTokens: 4, TokenWords: 1})
	h := &heard{}
	m.Attach(h)
	row := &Used{Table: []BlockID{1, 0}, Start: 2, N: 4}
	m.Write(row, 0)
	m.Read(row, AllLayers)
	m.Write(&Used{Table: row.Table, Start: 3}, 0) // nothing is written
	require.Equal(t, []Run{{Table: row.Table, Lo: 2, Hi: 6}, {Table: row.Table, Hi: 6}}, h.runs)
}

// What has not been reported cannot be reached.
func TestAViewOfOneLayerLeadsToNoOther(t *testing.T) {
	m := NewMemory(Layout{Blocks: 1, Layers: 2, BlockTokens: 4, TokenWords: 1})
	row := &Used{Table: []BlockID{0}, N: 1}
	all := m.Write(row, AllLayers)
	first, _ := all.Block(0)
	second, _ := all.Layer(1).Block(0)
	require.Equal(t, []uint32{0}, first)
	second[0] = 7
	require.Equal(t, []uint32{0, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0}, m.words)
	require.Panics(t, func() { m.Read(row, 0).Layer(1) })
}
