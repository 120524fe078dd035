package cache

// tables are the block tables of all requests, each with room for the longest.
type tables struct {
	stride int32     // blocks of the longest table
	blocks []BlockID // [slot][stride]
	used   []int32   // by slot: blocks in the table
}

func newTables(slots, stride int32) tables {
	return tables{stride: stride, blocks: make([]BlockID, slots*stride), used: make([]int32, slots)}
}

func (t *tables) reset() {
	clear(t.blocks)
	clear(t.used)
}

func (t *tables) of(slot int32) []BlockID {
	at := slot * t.stride
	return t.blocks[at : at+t.used[slot] : at+t.stride]
}

func (t *tables) push(slot int32, b BlockID) {
	t.blocks[slot*t.stride+t.used[slot]] = b
	t.used[slot]++
}

func (t *tables) pop(slot int32) BlockID {
	t.used[slot]--
	return t.blocks[slot*t.stride+t.used[slot]]
}

func (t *tables) cloneInto(dst *tables) {
	copy(dst.blocks, t.blocks)
	copy(dst.used, t.used)
}
