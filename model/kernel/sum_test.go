package kernel

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"custody/cache"
)

// paged is a memory of one word a slot with numbers in it, and a row of n positions in blocks that stand anywhere.
func paged(rng *rand.Rand, layers, blockTokens, n int32) (*cache.Memory, *cache.Used) {
	blocks := (n+blockTokens-1)/blockTokens + 1
	mem := cache.NewMemory(cache.Layout{Blocks: blocks, Layers: layers, BlockTokens: blockTokens, TokenWords: 1})
	row := &cache.Used{N: blocks * blockTokens}
	for _, b := range rng.Perm(int(blocks)) {
		row.Table = append(row.Table, cache.BlockID(b))
	}
	for layer := range layers {
		v := mem.Write(row, int(layer))
		for i := range v.Blocks() {
			k, val := v.Block(i)
			for j := range k {
				k[j], val[j] = rng.Uint32(), rng.Uint32()
			}
		}
	}
	row.N = n
	return mem, row
}

// defined is the sum of the first n positions of a run, from the words of its memory.
func defined(v cache.View, n int) uint64 {
	total, p := uint64(0), uint64(0)
	for i := range v.Blocks() {
		k, val := v.Block(i)
		for j := range k[:min(n-int(p), len(k))] {
			kBy, vBy := uint32(0x9e3779b1+p*0x85ebca6a), uint32(0xc2b2ae3d+p*0x27d4eb2e)
			total += uint64(k[j])*uint64(kBy) + uint64(val[j])*uint64(vBy)
			p++
		}
	}
	return total
}

func TestSumsAreThoseOfTheDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		layers, blockTokens := rapid.Int32Range(1, 3).Draw(t, "layers"), rapid.Int32Range(1, 35).Draw(t, "block")
		hi, rng := rapid.Int32Range(1, 150).Draw(t, "positions"), draw(t)
		mem, row := paged(rng, layers, blockTokens, hi)
		layer := rapid.IntRange(0, int(layers)-1).Draw(t, "layer")
		v, n := mem.Read(row, layer).Sound(), rapid.IntRange(0, int(hi)).Draw(t, "n")
		sum, plain := SumOf(&v, layer, n), sumPlain(&v, layer, n)
		require.Equal(t, defined(v, n), sum.Total)
		require.Equal(t, plain, sum)
		rest := v.From(int32(n))
		for i := range rest.Blocks() {
			k, val := rest.Block(i)
			for j := range k {
				sum.Add(k[j], val[j])
			}
		}
		require.Equal(t, SumOf(&v, layer, int(hi)), sum, "a sum can be taken up where another one ends")
	})
}

// The code behind the sum goes through the table by itself, so what leads out of the memory must be found before.
func TestATableThatLeadsOutOfTheMemoryHasNoSum(t *testing.T) {
	mem, row := paged(rand.New(rand.NewPCG(1, 1)), 1, 4, 12)
	for _, wrong := range []cache.BlockID{cache.None, 4, 1 << 30} {
		row.Table[1] = wrong
		require.Panics(t, func() { mem.Read(row, 0).Sound() })
	}
	row.Table[1] = 1
	unsound, short := mem.Read(row, 0), mem.Read(row, 0).Sound()
	require.Panics(t, func() { SumOf(&unsound, 0, 12) })
	require.Panics(t, func() { SumOf(&short, 0, 13) })
}

func BenchmarkSum(b *testing.B) {
	for _, shape := range [][2]int32{{4, 24}, {16, 130}, {16, 3000}} {
		mem, row := paged(rand.New(rand.NewPCG(1, 1)), 1, shape[0], shape[1])
		read := mem.Read(row, 0).Sound()
		each := func(name string, f func(*cache.View, int, int) Sum) {
			b.Run(fmt.Sprintf("%dx%d/%s", shape[0], shape[1], name), func(b *testing.B) {
				total := uint64(0)
				for b.Loop() {
					total += f(&read, 0, int(row.N)).Total
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(row.N), "ns/slot")
			})
		}
		each("vector", SumOf)
		each("plain", sumPlain)
	}
}
