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
}

const unlinked = -1

func newFreeList(n int32) freeList {
	f := freeList{next: make([]int32, n+1), prev: make([]int32, n+1), n: n}
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
}

func (f *freeList) has(b BlockID) bool { return f.next[b] != unlinked }

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
	dst.n, dst.len = f.n, f.len
}
