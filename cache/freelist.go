package cache

// FreeOrder is the policy for where a returned block goes on the free list. Blocks are always taken from the front.
type FreeOrder uint8

// The orders.
const (
	FreeVLLM   FreeOrder = iota // with an entry to the back, without one to the front: least recently freed goes first
	FreeLIFO                    // always to the front: the block freed last is reused first
	FreeRandom                  // front or back by a keyed coin: hides nothing behind a lucky order
)

// freeList is a doubly linked list over block numbers, so that a block found again can leave the middle.
// Index n is the sentinel: next[n] is the front, prev[n] the back.
type freeList struct {
	next, prev []int32
	n, len     int32
	order      FreeOrder
	seed       uint64
	frees      []uint32 // FreeRandom, by block: how often it was given back
}

const unlinked = -1

func newFreeList(n int32, order FreeOrder, seed uint64) freeList {
	f := freeList{
		next: make([]int32, n+1), prev: make([]int32, n+1), n: n, order: order, seed: seed, frees: make([]uint32, n),
	}
	f.reset()
	return f
}

// reset links all blocks in the order of their numbers.
func (f *freeList) reset() {
	for i := range f.n + 1 {
		f.next[i], f.prev[i] = i+1, i-1
	}
	f.next[f.n], f.prev[0] = 0, f.n
	f.len = f.n
	clear(f.frees)
}

func (f *freeList) has(b BlockID) bool { return f.next[b] != unlinked }

// idle is the number of the hit's blocks that are on the list: adopting them uses them up.
func (f *freeList) idle(h *Hit) int32 {
	n := int32(0)
	for _, b := range h.Blocks {
		if f.has(b) {
			n++
		}
	}
	if h.Tail != None && f.has(h.Tail) {
		n++
	}
	return n
}

func (f *freeList) remove(b BlockID) {
	next, prev := f.next[b], f.prev[b]
	f.next[prev], f.prev[next] = next, prev
	f.next[b], f.prev[b] = unlinked, unlinked
	f.len--
}

// pop takes the front; the list must not be empty.
func (f *freeList) pop() BlockID {
	b := BlockID(f.next[f.n])
	f.remove(b)
	return b
}

// give puts a block that has lost its last reference where the order wants it.
func (f *freeList) give(b BlockID, published bool) {
	front := false
	switch f.order {
	case FreeVLLM:
		front = !published
	case FreeLIFO:
		front = true
	case FreeRandom:
		f.frees[b]++
		front = mix(mix(f.seed, uint64(b)), uint64(f.frees[b]))&1 == 0
	}
	if front {
		f.pushFront(b)
	} else {
		f.pushBack(b)
	}
}

func (f *freeList) pushFront(b BlockID) { f.link(b, f.n, f.next[f.n]) }
func (f *freeList) pushBack(b BlockID)  { f.link(b, f.prev[f.n], f.n) }

func (f *freeList) link(b BlockID, prev, next int32) {
	f.prev[b], f.next[b] = prev, next
	f.next[prev], f.prev[next] = int32(b), int32(b)
	f.len++
}

// appendTo appends the blocks to dst, front first.
func (f *freeList) appendTo(dst []BlockID) []BlockID {
	for b := f.next[f.n]; b != f.n; b = f.next[b] {
		dst = append(dst, BlockID(b))
	}
	return dst
}

func (f *freeList) cloneInto(dst *freeList) {
	copy(dst.next, f.next)
	copy(dst.prev, f.prev)
	copy(dst.frees, f.frees)
	dst.len = f.len
}
