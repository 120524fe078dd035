package traces_test

import (
	"math/bits"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"custody/traces"
)

func TestDigestIsTheSameEverywhere(t *testing.T) {
	var d traces.Digest
	assert.Equal(t, "00000000000000000000000000000000", d.String())
	d.Add(0)
	assert.Equal(t, "2cd41a108ceec280ff77deee63d485aa", d.String())
	d.Add(1)
	d.Add(1 << 63)
	assert.Equal(t, "8a6927827f9a023bbb85f066725c5c11", d.String())
	d.AddString("the marker is QUARTZ")
	assert.Equal(t, "56ec2c2c4a059fdf66d13072daee4550", d.String())
	d.AddString("12345678")
	assert.Equal(t, "48eac143c6b90332971646089175ea4f", d.String())
}

func TestDigestTellsSequencesApart(t *testing.T) {
	seen := map[traces.Digest]string{}
	check := func(name string, words ...uint64) {
		var d traces.Digest
		for _, w := range words {
			d.Add(w)
		}
		assert.Empty(t, seen[d], name)
		seen[d] = name
	}
	for i := range 4000 {
		check("zeros "+strings.Repeat("0", i%7), make([]uint64, i)...)
	}
	for i := range 64 {
		check("one bit", 1<<i)
		for j := range 64 {
			check("two bits", 1<<i, 1<<j)
			check("two bits and a zero", 1<<i, 0, 1<<j)
		}
	}
}

func TestDigestOfStringsKeepsTheirBounds(t *testing.T) {
	seen := map[traces.Digest][]string{}
	for _, words := range [][]string{
		{}, {""}, {"", ""}, {"a"}, {"a\x00"}, {"ab", "c"}, {"a", "bc"}, {"abc"}, {"12345678"}, {"12345678", ""},
		{"123456789"}, {"12345678", "9"}, {"1234567890abcdef"}, {"12345678", "90abcdef"},
	} {
		var d traces.Digest
		for _, w := range words {
			d.AddString(w)
		}
		assert.Nil(t, seen[d], "%q", words)
		seen[d] = words
	}
}

// A lane that takes in one bit differently should differ in about half of its bits, wherever the bit is.
func TestDigestSpreadsEveryBit(t *testing.T) {
	for bit := range 64 {
		for half := range 2 {
			total := 0
			for base := range uint64(64) {
				total += bits.OnesCount64(lane(half, base) ^ lane(half, base^1<<bit))
			}
			assert.InDelta(t, 32, float64(total)/64, 3, "bit %d, lane %d", bit, half)
		}
	}
}

// lane returns one half of a digest of two words, the first of which is given.
func lane(half int, word uint64) uint64 {
	var d traces.Digest
	d.Add(word)
	d.Add(3)
	var v uint64
	for _, c := range d.String()[16*half : 16*half+16] {
		v = v<<4 | uint64(strings.IndexRune("0123456789abcdef", c))
	}
	return v
}

func TestDigestDoesNotAllocate(t *testing.T) {
	var d traces.Digest
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		d.Add(7)
		d.AddString("the marker is QUARTZ")
	}))
}

func BenchmarkDigestAdd(b *testing.B) {
	var d traces.Digest
	for b.Loop() {
		for i := range uint64(1000) {
			d.Add(i)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/word")
	assert.NotZero(b, d)
}
