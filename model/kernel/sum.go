package kernel

import "custody/cache"

// The multipliers of a position's two words: an odd number, and an even step from each position to the next. So all are odd,
// and no two positions below 2³¹ have the same. They wrap at 2³².
const (
	kFirst, kStep = 0x9e3779b1, 0x85ebca6a
	vFirst, vStep = 0xc2b2ae3d, 0x27d4eb2e
	wrap          = 1<<32 - 1
)

// Sum is a sum over the positions of a request, from the first one on, whose slots have one word of K and one of V:
//
//	Σ K[p]·k(p) + V[p]·v(p)   modulo 2⁶⁴, where k(p) and v(p) are the multipliers of position p
//
// A product of two 32-bit numbers stands in the sum with all its bits. So one wrong word always changes it, and so do the K
// words (or the V words) of two positions that change places.
type Sum struct {
	Total uint64
	k, v  uint32 // the multipliers of the position that comes next
}

// SumOf is the sum over the first n positions of a layer of a sound view that begins at position 0.
func SumOf(v *cache.View, layer, n int) Sum {
	switch {
	case n == 0:
		return Sum{k: kFirst, v: vFirst}
	case n > v.Len():
		panic("kernel: a sum goes beyond its view")
	}
	return sumOf(v, layer, n)
}

// Add takes in the next position.
func (s *Sum) Add(k, v uint32) {
	s.Total += uint64(k)*uint64(s.k) + uint64(v)*uint64(s.v)
	s.k += kStep
	s.v += vStep
}

func sumPlain(v *cache.View, layer, n int) Sum {
	words, table, stride, plane := v.Raw(layer)
	s, left := Sum{k: kFirst, v: vFirst}, n
	for i := 0; left > 0; i++ {
		at, now := int(table[i])*stride, min(left, plane)
		s = sumBlock(s, words[at:at+now], words[at+plane:at+plane+now])
		left -= now
	}
	return s
}

// sumBlock takes in the positions of one block, four at a time.
func sumBlock(s Sum, k, v []uint32) Sum {
	j, total, kBy, vBy := 0, s.Total, s.k, s.v
	for ; j+4 <= len(k) && j+4 <= len(v); j += 4 {
		a, b := k[j:j+4:j+4], v[j:j+4:j+4]
		total += uint64(a[0])*uint64(kBy) + uint64(b[0])*uint64(vBy) +
			uint64(a[1])*uint64(kBy+kStep) + uint64(b[1])*uint64(vBy+vStep) +
			uint64(a[2])*uint64(kBy+2*kStep&wrap) + uint64(b[2])*uint64(vBy+2*vStep&wrap) +
			uint64(a[3])*uint64(kBy+3*kStep&wrap) + uint64(b[3])*uint64(vBy+3*vStep&wrap)
		kBy += 4 * kStep & wrap
		vBy += 4 * vStep & wrap
	}
	s = Sum{total, kBy, vBy}
	for ; j < len(k) && j < len(v); j++ {
		s.Add(k[j], v[j])
	}
	return s
}
