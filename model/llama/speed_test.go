package llama

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"custody/cache"
	"custody/model"
)

// speed is how the benchmarks say what was computed.
func speed(b *testing.B, tokens int) {
	b.ReportMetric(float64(tokens)*float64(b.N)/b.Elapsed().Seconds(), "tokens/s")
}

func name(a Arch) string {
	return fmt.Sprintf("D%dL%dH%dKV%dhd%dF%dV%d", a.Dim, a.Layers, a.Heads, a.KVHeads, a.HeadDim, a.Hidden, a.Vocab)
}

// bed is a transformer and a batch of rows, each of so many tokens behind so many positions that are computed already.
func bed(a Arch, rows int, start, n, block int32) (*Transformer, *model.Batch, *cache.Memory) {
	tr, err := New(RandomWeights(a, 1))
	if err != nil {
		panic(err)
	}
	each := (start + n + block - 1) / block
	mem, rng := cache.NewMemory(a.Layout(int32(rows)*each, block)), rand.New(rand.NewPCG(1, 1))
	warm, b := &model.Batch{}, &model.Batch{}
	for i := range rows {
		used := cache.Used{Req: cache.Req{Slot: int32(i)}, N: start + n, Input: randomText(rng, a.Vocab, int(start+n))}
		for j := range each {
			used.Table = append(used.Table, cache.BlockID(int32(i)*each+j))
		}
		warm.Rows = append(warm.Rows, model.Row{Used: used})
		used.Start, used.N, used.Input = start, n, used.Input[start:]
		b.Rows = append(b.Rows, model.Row{Used: used, Sample: true})
	}
	tr.Forward(warm, mem)
	return tr, b, mem
}

// BenchmarkDecode is one step of so many rows at the end of a context: one token a row.
func BenchmarkDecode(b *testing.B) {
	for _, rows := range []int{1, 8} {
		for _, context := range []int32{16, 64, 128, 256} {
			b.Run(fmt.Sprintf("%s/block=16/context=%d/batch=%d", name(Small()), context, rows), func(b *testing.B) {
				tr, batch, mem := bed(Small(), rows, context-1, 1, 16)
				for b.Loop() {
					tr.Forward(batch, mem)
				}
				speed(b, rows)
			})
		}
	}
}

// chunks computes a batch's texts from the start, so many tokens a pass; what follows is sampled at every pass or at the
// last one only.
func chunks(tr *Transformer, b *model.Batch, mem *cache.Memory, chunk int32, every bool) {
	step, n := model.Batch{Rows: make([]model.Row, len(b.Rows))}, b.Rows[0].N
	for pos := int32(0); pos < n; pos += chunk {
		for i := range step.Rows {
			used := b.Rows[i].Used
			used.Start, used.N, used.Input = pos, chunk, used.Input[pos:][:chunk]
			step.Rows[i] = model.Row{Used: used, Sample: every || pos+chunk == n}
		}
		tr.Forward(&step, mem)
	}
}

// BenchmarkText is all of a text, as llama2.c would run it: token by token at so many rows, every token sampled. A step's
// context is its position.
func BenchmarkText(b *testing.B) {
	for _, rows := range []int{1, 8} {
		b.Run(fmt.Sprintf("%s/block=16/tokens=256/batch=%d", name(Small()), rows), func(b *testing.B) {
			tr, batch, mem := bed(Small(), rows, 0, 256, 16)
			for b.Loop() {
				chunks(tr, batch, mem, 1, true)
			}
			speed(b, rows*256)
		})
	}
}

// BenchmarkPrefill is a whole prompt in one pass, from which one token is sampled, and the same by chunks of one token.
func BenchmarkPrefill(b *testing.B) {
	for _, chunk := range []int32{1, 32, 256} {
		b.Run(fmt.Sprintf("%s/block=16/tokens=256/chunk=%d", name(Small()), chunk), func(b *testing.B) {
			tr, batch, mem := bed(Small(), 1, 0, 256, 16)
			for b.Loop() {
				chunks(tr, batch, mem, chunk, false)
			}
			speed(b, 256)
		})
	}
}

// BenchmarkPrefillGain interleaves a prompt in one pass with the same token by token, and reports how many times as long
// the latter takes: as decoding does it, which samples every token, and as chunks of one, which sample the last only and
// leave the rest of the last layer out.
func BenchmarkPrefillGain(b *testing.B) {
	b.Run(fmt.Sprintf("%s/block=16/tokens=256", name(Small())), func(b *testing.B) {
		tr, batch, mem := bed(Small(), 1, 0, 256, 16)
		timed := func(chunk int32, every bool) float64 {
			start := time.Now()
			chunks(tr, batch, mem, chunk, every)
			return time.Since(start).Seconds()
		}
		var whole, decoded, chunked float64
		for b.Loop() {
			whole += timed(256, false)
			decoded += timed(1, true)
			chunked += timed(1, false)
		}
		b.ReportMetric(decoded/whole, "times-decoding")
		b.ReportMetric(chunked/whole, "times-chunks-of-1")
	})
}
