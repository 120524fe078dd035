package llama

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/cache"
	"custody/model"
)

// touches records accesses as text.
type touches struct {
	cache.Observer
	seen []string
}

func (s *touches) Touch(k cache.TouchKind, op cache.OpID, r cache.Req, layer int, run cache.Run) {
	s.seen = append(s.seen, fmt.Sprintf("%d: layer %d, %s of r%d [%d,%d)",
		op, layer, [...]string{"read", "write"}[k], r.Slot, run.Lo, run.Hi))
}

// mixedBatch is a chunk of one request, from which nothing is sampled, and a decoding step of another.
func mixedBatch() (model.Batch, *cache.Memory) {
	mem := cache.NewMemory(Small().Layout(4, 4))
	return model.Batch{Op: 9, Rows: []model.Row{
		{Used: cache.Used{Op: 9, Req: cache.Req{Slot: 1}, N: 3, Input: []cache.Token{5, 6, 7}, Table: []cache.BlockID{2}}},
		{Sample: true, Used: cache.Used{
			Op: 9, Req: cache.Req{Slot: 2}, Start: 5, N: 1, Input: []cache.Token{8}, Table: []cache.BlockID{3, 0},
		}},
	}}, mem
}

// Layer by layer all writes, then all reads. The last layer is not read for a row from which nothing is sampled.
func TestEachLayerIsWrittenByAllRowsBeforeAnyReadsIt(t *testing.T) {
	tr := newTransformer(t, RandomWeights(Small(), 1))
	b, mem := mixedBatch()
	var s touches
	mem.Attach(&s)
	tr.Forward(&b, mem)
	require.Equal(t, []string{
		"9: layer 0, write of r1 [0,3)", "9: layer 0, write of r2 [5,6)",
		"9: layer 0, read of r1 [0,3)", "9: layer 0, read of r2 [0,6)",
		"9: layer 1, write of r1 [0,3)", "9: layer 1, write of r2 [5,6)",
		"9: layer 1, read of r2 [0,6)",
	}, s.seen)
}

// A wrong word in any slot, layer, head or plane that is read changes the logits; behind the position nothing does.
func TestEverySlotThatIsReadShapesTheLogits(t *testing.T) {
	arch := Small()
	tr := newTransformer(t, RandomWeights(arch, 1))
	text := []cache.Token{1, 2, 3, 4, 5, 6}
	table := []cache.BlockID{1, 0}
	logits := func(spoil func(mem *cache.Memory)) []float32 {
		mem := cache.NewMemory(arch.Layout(2, 4))
		tr.Forward(&model.Batch{Rows: []model.Row{{Used: cache.Used{N: 5, Input: text[:5], Table: table}}}}, mem)
		spoil(mem)
		last := model.Batch{Rows: []model.Row{{Used: cache.Used{Start: 5, N: 1, Input: text[5:], Table: table}, Sample: true}}}
		tr.Forward(&last, mem)
		return append([]float32(nil), tr.logitsOf(0)...)
	}
	clean := logits(func(*cache.Memory) {})
	for pos := range int32(8) {
		for layer := range arch.Layers {
			for word := 0; word < arch.KVHeads*arch.HeadDim; word += 7 {
				for plane := range 2 {
					got := logits(func(mem *cache.Memory) {
						v := mem.Write(&cache.Used{Table: table, Start: pos, N: 1}, layer)
						k, val := v.Block(0)
						[2][]uint32{k, val}[plane][word] ^= 1 << 22
					})
					require.Equal(t, pos >= 5, bitsEqual(clean, got), "layer %d, position %d, word %d, plane %d", layer, pos, word, plane)
				}
			}
		}
	}
}

func bitsEqual(a, b []float32) bool { return fmt.Sprint(bitsOf(a)) == fmt.Sprint(bitsOf(b)) }

func TestTheWatchIsToldHowEachQuerySpreadItsAttention(t *testing.T) {
	tr := newTransformer(t, RandomWeights(Small(), 1))
	b, mem := mixedBatch()
	var told []string
	tr.Watch(func(row, layer, head int, pos int32, weights []float32) {
		require.Len(t, weights, int(pos)+1)
		sum := 0.0
		for _, w := range weights {
			require.GreaterOrEqual(t, w, float32(0))
			sum += float64(w)
		}
		require.InDelta(t, 1, sum, 1e-5)
		if head == 3 {
			told = append(told, fmt.Sprintf("row %d, layer %d, position %d", row, layer, pos))
		}
	})
	tr.Forward(&b, mem)
	require.Equal(t, []string{
		"row 0, layer 0, position 0", "row 0, layer 0, position 1", "row 0, layer 0, position 2", "row 1, layer 0, position 5",
		"row 1, layer 1, position 5",
	}, told)
}

func TestAWarmTransformerAllocatesNothing(t *testing.T) {
	tr := newTransformer(t, RandomWeights(Small(), 1))
	b, mem := mixedBatch()
	b.Rows[0].Sample, b.Rows[0].Sampling = true, cache.Sampling{Temp: 1, TopK: 5, TopP: .9}
	require.Zero(t, testing.AllocsPerRun(20, func() { tr.Forward(&b, mem) }))
}

// A token beyond the vocabulary and a position beyond MaxLen, which only a defect can bring, do not end the run.
func TestADefectsTokensAndPositionsDoNotEndTheRun(t *testing.T) {
	tr := newTransformer(t, RandomWeights(shapes["one"], 1))
	b := model.Batch{Rows: []model.Row{{Used: cache.Used{Start: 3, N: 2, Input: []cache.Token{-1, 1 << 20},
		Table: []cache.BlockID{0}}, Sample: true}}}
	tr.Forward(&b, cache.NewMemory(tr.Arch().Layout(1, 8)))
	require.Less(t, b.Rows[0].Next[0], cache.Token(5))
}
