package cache

// Layout fixes the shape of KV memory.
type Layout struct {
	Blocks      int32
	Layers      int32
	BlockTokens int32 // slots a block
	TokenWords  int32 // 32-bit words of K (and as many of V) a slot a layer: heads × head size
}

// Memory is the KV memory: 32-bit words, block-major [block][layer][K,V][slot][word].
// Read, Write and Copy are the only ways in, and each reports the address that it hands out.
type Memory struct {
	layout Layout
	plane  int // words of a layer's K of a block, and of its V
	stride int // words of a block
	words  []uint32
	obs    Observer
}

// NewMemory returns zeroed memory of the layout.
func NewMemory(l Layout) *Memory {
	plane := int(l.BlockTokens * l.TokenWords)
	stride := int(l.Layers) * 2 * plane
	return &Memory{layout: l, plane: plane, stride: stride, words: make([]uint32, int(l.Blocks)*stride)}
}

// Attach sets the observer; nil detaches it.
func (m *Memory) Attach(o Observer) { m.obs = o }

// Reset zeroes the memory.
func (m *Memory) Reset() { clear(m.words) }

// View is access to one layer of a run of a row's positions, block by block. It is small, and is held by value.
type View struct {
	mem   *Memory
	row   *Used
	from  int32 // the run ends where the row does
	layer int32 // and marks
}

// The marks of a view.
const (
	allLayers = 1 << 30 // all layers were asked for
	sound     = 1 << 29 // all blocks of the run are there
	layerBits = sound - 1
)

// Read returns access to a layer of the row's positions so far, [0,Start+N), for reading. Of AllLayers it is the first one: the
// others are reached by Layer.
func (m *Memory) Read(row *Used, layer int) View {
	if m.obs != nil && row.Start+row.N > 0 {
		m.obs.Touch(Read, row.Op, row.Req, layer, Run{Table: row.Table, Hi: row.Start + row.N})
	}
	return m.view(row, 0, layer)
}

// Write returns access to a layer of the row's positions [Start,Start+N), for writing all of it. Of AllLayers it is the first
// one: the others are reached by Layer.
func (m *Memory) Write(row *Used, layer int) View {
	if m.obs != nil && row.N > 0 {
		m.obs.Touch(Write, row.Op, row.Req, layer, Run{Table: row.Table, Lo: row.Start, Hi: row.Start + row.N})
	}
	return m.view(row, row.Start, layer)
}

func (m *Memory) view(row *Used, from int32, layer int) View {
	if layer == AllLayers {
		return View{m, row, from, allLayers}
	}
	return View{m, row, from, int32(layer)}
}

// Layer is access to another layer. All must have been asked for: what is used has been reported.
func (v View) Layer(n int) View {
	if v.layer&allLayers == 0 {
		panic("cache: a view of one layer leads to no other")
	}
	return View{v.mem, v.row, v.from, int32(n) | v.layer&^layerBits}
}

// Blocks is the number of blocks that the run touches.
func (v View) Blocks() int {
	size, end := v.mem.layout.BlockTokens, v.row.Start+v.row.N
	switch {
	case v.from >= end:
		return 0
	case v.from+1 == end:
		return 1
	}
	return int((end-1)/size-v.from/size) + 1
}

// Block returns the K and the V words of the run's slots in its i-th block, [slot][word].
func (v View) Block(i int) (k, val []uint32) {
	m, index, size := v.mem, int32(i), v.mem.layout.BlockTokens
	if v.from > 0 { // reads begin at the first position: no division
		index += v.from / size
	}
	lo, hi := max(v.from-index*size, 0), min(v.row.Start+v.row.N-index*size, size)
	at := int(v.row.Table[index])*m.stride + int(v.layer&layerBits)*2*m.plane + int(lo*m.layout.TokenWords)
	n := int((hi - lo) * m.layout.TokenWords)
	return m.words[at : at+n : at+n], m.words[at+m.plane : at+m.plane+n : at+m.plane+n]
}

// From is the part of the run that begins at a position.
func (v View) From(pos int32) View { return View{v.mem, v.row, pos, v.layer} }

// Put writes one position of the run in memory that has one word of K and one of V a slot.
func (v View) Put(pos int32, k, val uint32) {
	m, size := v.mem, v.mem.layout.BlockTokens
	index := pos / size
	at := int(v.row.Table[index])*m.stride + int(v.layer&layerBits)*2*m.plane + int(pos-index*size)
	m.words[at], m.words[at+m.plane] = k, val
}

// Len is the number of positions of the run.
func (v View) Len() int { return int(v.row.Start + v.row.N - v.from) }

// Sound makes sure that all blocks of a run are there that begins at the first position.
func (v View) Sound() View {
	m := v.mem
	for _, b := range v.row.Table[:v.Blocks()] {
		_ = m.words[int(b)*m.stride]
	}
	v.layer |= sound
	return v
}

// Raw returns, of a run that is sound, the words from K of the layer of block 0 on, the run's blocks, the words from one block
// to the next, and the words of a block's K, behind which its V begins: for code that goes through the table itself.
func (v *View) Raw(layer int) (words []uint32, table []BlockID, stride, plane int) {
	if v.layer&allLayers == 0 && int32(layer) != v.layer&layerBits {
		panic("cache: a view of one layer leads to no other")
	}
	if v.layer&sound == 0 {
		panic("cache: nobody has looked whether the blocks of a run are there")
	}
	m := v.mem
	return m.words[layer*2*m.plane:], v.row.Table, m.stride, m.plane
}

// Copy writes all layers of one block into another.
func (m *Memory) Copy(op OpID, c Copy) {
	if m.obs != nil {
		m.obs.CopyBlock(op, c)
	}
	copy(m.block(c.To), m.block(c.From))
}

func (m *Memory) block(b BlockID) []uint32 {
	return m.words[int(b)*m.stride:][:m.stride]
}

// poison overwrites a block with a pattern that depends on block and word. Bit 30 is clear, so that each word is a
// finite float32: a NaN would not have the same bits on every processor.
func (m *Memory) poison(b BlockID) {
	x, words := uint32(b)*0x9e3779b9+0x7f4a7c15, m.block(b)
	for i := range words {
		x += 0x85ebca6b
		words[i] = x &^ (1 << 30)
	}
	if m.obs != nil {
		m.obs.Block(Poison, Req{}, b, 0)
	}
}

// CloneInto copies the contents into dst, which has the same layout.
func (m *Memory) CloneInto(dst *Memory) { copy(dst.words, m.words) }
