package invariants

import "custody/cache"

// blockBook is who holds each block: the ledger's own count of references, and the tables of the present lives.
type blockBook struct {
	list    []block
	tables  []hold  // [slot of the request table][stride]
	lengths []int32 // of the tables
	stride  int32
	leaving int32   // references of lives that have ended, until they are dropped
	counted []int32 // scratch of an audit
}

// block is what the ledger knows of one block.
type block struct {
	refs   int32
	tabled int32 // entries of live tables
	held   bool  // not on the free list
}

// hold is a block in a request's table.
type hold struct {
	block   cache.BlockID
	epoch   uint32 // the block's when it was taken or found
	adopted bool
}

func newBlockBook(s *Shape, maxLen int32) blockBook {
	stride := (maxLen+s.BlockTokens-1)/s.BlockTokens + 1
	return blockBook{
		list: make([]block, s.Blocks), tables: make([]hold, s.Slots*stride), lengths: make([]int32, s.Slots), stride: stride,
		counted: make([]int32, s.Blocks),
	}
}

func (k *blockBook) reset() {
	clear(k.list)
	clear(k.lengths)
	k.leaving = 0
}

func (k *blockBook) cloneInto(dst *blockBook) {
	copy(dst.list, k.list)
	copy(dst.tables, k.tables)
	copy(dst.lengths, k.lengths)
	dst.leaving = k.leaving
}

// table is what the present life of a slot of the request table holds, by position.
func (k *blockBook) table(slot int32) []hold {
	return k.tables[slot*k.stride : slot*k.stride+k.lengths[slot]]
}

// push puts a block behind a table; one that is full stays as it is.
func (k *blockBook) push(slot int32, h hold) {
	if k.lengths[slot] == k.stride {
		return
	}
	k.tables[slot*k.stride+k.lengths[slot]] = h
	k.lengths[slot]++
	k.list[h.block].tabled++
}

// remove takes a block out of a table: the last one, or one of a table that is being given back whole.
func (k *blockBook) remove(slot int32, b cache.BlockID) {
	table := k.table(slot)
	if i := k.indexIn(slot, b); i >= 0 {
		copy(table[i:], table[i+1:])
		k.lengths[slot]--
		k.list[b].tabled--
	}
}

// indexIn is the block's place in a table, or -1.
func (k *blockBook) indexIn(slot int32, b cache.BlockID) int32 {
	table := k.table(slot)
	for i := len(table) - 1; i >= 0; i-- {
		if table[i].block == b {
			return int32(i)
		}
	}
	return -1
}

// leave takes in that a life has lost its table: its references end, now or when outstanding operations have.
func (k *blockBook) leave(slot int32) {
	for _, h := range k.table(slot) {
		k.list[h.block].tabled--
	}
	k.leaving += k.lengths[slot]
	k.lengths[slot] = 0
}

// count counts by block the live table entries that hold it, anew.
func (k *blockBook) count() []int32 {
	clear(k.counted)
	for slot := range k.lengths {
		for _, h := range k.table(int32(slot)) {
			k.counted[h.block]++
		}
	}
	return k.counted
}
