package llama

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"custody/cache"
	"custody/model"
)

// shapes are ours, that of llama2.c's smallest checkpoint, and three small ones with the odd cases: one query head a KV
// head, three, a width that is no multiple of 16, heads narrower and wider than the stream.
var shapes = map[string]Arch{
	"small": Small(),
	"stories": {Dim: 64, Layers: 5, Heads: 8, KVHeads: 4, HeadDim: 8, Hidden: 172, Vocab: 512, RopeBase: 10000,
		Eps: 1e-5, MaxLen: 64, Tied: true},
	"one": {Dim: 8, Layers: 1, Heads: 1, KVHeads: 1, HeadDim: 8, Hidden: 3, Vocab: 5, RopeBase: 100, Eps: 1e-6, MaxLen: 1},
	"three": {Dim: 24, Layers: 3, Heads: 3, KVHeads: 1, HeadDim: 16, Hidden: 17, Vocab: 33, RopeBase: 1000,
		Eps: 1e-5, MaxLen: 40, Tied: true},
	"wide": {Dim: 40, Layers: 2, Heads: 4, KVHeads: 4, HeadDim: 24, Hidden: 31, Vocab: 16,
		RopeBase: 10000, Eps: 1e-5, MaxLen: 16},
}

func newTransformer(t require.TestingT, w *Weights) *Transformer {
	tr, err := New(w)
	require.NoError(t, err)
	return tr
}

func randomText(rng *rand.Rand, vocab, n int) []cache.Token {
	text := make([]cache.Token, n)
	for i := range text {
		text[i] = cache.Token(rng.IntN(vocab))
	}
	return text
}

// alone is the logits at every position of a text that is computed at once, by itself.
func alone(tr *Transformer, text []cache.Token) [][]float32 {
	n := int32(len(text))
	mem := cache.NewMemory(tr.Arch().Layout(1, n))
	b := model.Batch{Rows: []model.Row{{Used: cache.Used{N: n, Input: text, Table: []cache.BlockID{0}}}}}
	var all [][]float32
	tr.Logits(&b, mem, func(_ int, _ int32, logits []float32) { all = append(all, append([]float32(nil), logits...)) })
	return all
}

// A float32 has 24 bits. A logit is made by some 2 layers × 4 products in a row, of sums of about 64 terms, so its error is some
// sqrt(64 × 8) × 2^-24 ~ 1e-6 of the numbers' size, which is about 1. Ten times that is allowed; a wrong sign, a wrong
// head or a position that is off by one changes logits by 0.01 and more.
func TestTheLogitsAreThoseOfTheReference(t *testing.T) {
	for name, arch := range shapes {
		t.Run(name, func(t *testing.T) {
			w := RandomWeights(arch, 1)
			for i, tensor := range w.Tensors() { // normalisation weights of 1 would hide their being left out
				if len(tensor.Shape) == 1 {
					rng := rand.New(rand.NewPCG(2, uint64(i)))
					for j := range tensor.Data {
						tensor.Data[j] = 0.5 + rng.Float32()
					}
				}
			}
			text := randomText(rand.New(rand.NewPCG(3, 4)), arch.Vocab, 40)
			numbers := make([]int, len(text))
			for i := range text {
				numbers[i] = int(text[i])
			}
			want, worst := newReference(w).logits(numbers), 0.0
			for p, got := range alone(newTransformer(t, w), text) {
				for i := range got {
					worst = max(worst, math.Abs(float64(got[i])-want[p][i]))
				}
			}
			t.Logf("largest difference %.2g", worst)
			require.Less(t, worst, 1e-5)
		})
	}
}

// Whatever else is in the batch, however a text is cut into passes and blocks, and whoever wrote the blocks of a shared
// prefix, maybe in the very same pass: the logits have the bits of a text computed alone.
func TestARowsLogitsAreThoseOfItsTextAlone(t *testing.T) {
	for name, arch := range shapes {
		t.Run(name, func(t *testing.T) {
			tr := newTransformer(t, RandomWeights(arch, 5))
			rapid.Check(t, func(t *rapid.T) {
				p := drawPlan(t, tr)
				for b := p.next(t); len(b.Rows) > 0; b = p.next(t) {
					tr.Forward(&b, p.mem)
					p.compare(t, tr, &b)
				}
			})
		})
	}
}

// plan computes four texts on one memory. The last one finds its first blocks where text 0 writes them.
type plan struct {
	mem    *cache.Memory
	texts  [4][]cache.Token
	tables [4][]cache.BlockID
	alone  [4][][]float32
	done   [4]int32
	hit    int32 // positions that text 3 has from text 0
}

func drawPlan(t *rapid.T, tr *Transformer) *plan {
	p, id := &plan{}, cache.BlockID(0)
	block := rapid.Int32Range(1, 17).Draw(t, "block")
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "texts"), 0))
	for i := range p.texts {
		p.texts[i] = randomText(rng, tr.Arch().Vocab, rapid.IntRange(1, 40).Draw(t, "length"))
		if i == 3 {
			p.hit = rapid.Int32Range(0, int32(min(len(p.texts[0]), len(p.texts[3])-1))/block).Draw(t, "hit") * block
			copy(p.texts[3], p.texts[0][:p.hit])
			p.tables[3], p.done[3] = append(p.tables[3], p.tables[0][:p.hit/block]...), p.hit
		}
		for len(p.tables[i])*int(block) < len(p.texts[i]) {
			p.tables[i], id = append(p.tables[i], id), id+1
		}
		p.alone[i] = alone(tr, p.texts[i])
	}
	p.mem = cache.NewMemory(tr.Arch().Layout(int32(id), block))
	return p
}

// next draws a batch: a chunk of some of the texts, in any order. It is empty when all is computed.
func (p *plan) next(t *rapid.T) (b model.Batch) {
	var rows []model.Row
	for i, text := range p.texts {
		left := int32(len(text)) - p.done[i]
		ready := i < 3 || p.done[0] >= p.hit // as far as this very batch computes it
		if left == 0 || !ready || len(rows) > 0 && rapid.Bool().Draw(t, "waits") {
			continue
		}
		n := rapid.Int32Range(1, left).Draw(t, "chunk")
		rows = append(rows, model.Row{Sample: rapid.Bool().Draw(t, "sample"), Used: cache.Used{
			Req: cache.Req{Slot: int32(i)}, Start: p.done[i], N: n, Input: text[p.done[i]:][:n], Table: p.tables[i],
		}})
		p.done[i] += n
	}
	return model.Batch{Rows: rapid.Permutation(rows).Draw(t, "order")}
}

func (p *plan) compare(t *rapid.T, tr *Transformer, b *model.Batch) {
	sampling := 0
	for i := range b.Rows {
		if row := &b.Rows[i]; row.Sample {
			logits := p.alone[row.Req.Slot][row.Start+row.N-1]
			require.Equal(t, bitsOf(logits), bitsOf(tr.logitsOf(sampling)), "text %d, position %d", row.Req.Slot, row.Start+row.N)
			require.Equal(t, likeliest(logits), row.Next[0])
			sampling++
		}
	}
}

func TestContinueTellsWhatComesFromAPositionOn(t *testing.T) {
	tr, text := newTransformer(t, RandomWeights(Small(), 5)), randomText(rand.New(rand.NewPCG(1, 2)), 128, 20)
	want := map[int32]cache.Token{}
	for p, logits := range alone(tr, text) {
		if p >= 11 {
			want[int32(p+1)] = likeliest(logits)
		}
	}
	got := map[int32]cache.Token{}
	b := model.Batch{Rows: []model.Row{{Used: cache.Used{N: 20, Input: text, Table: []cache.BlockID{0}}}}}
	tr.Continue(&b, cache.NewMemory(tr.Arch().Layout(1, 20)), 12, func(_ int, pos int32, next cache.Token) { got[pos] = next })
	require.Equal(t, want, got)
}

func bitsOf(x []float32) []uint32 {
	bits := make([]uint32, len(x))
	for i := range x {
		bits[i] = math.Float32bits(x[i])
	}
	return bits
}
