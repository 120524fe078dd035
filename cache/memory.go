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

// View is access to one layer of a run of positions, block by block.
type View struct {
	mem   *Memory
	run   Run
	first int32 // index into the table of the first block
	layer int32
	whole bool // all layers were asked for
}

// Read returns access to a layer of the run, for reading. Of AllLayers it is the first one: the others are reached by Layer.
func (m *Memory) Read(op OpID, r Req, layer int, run Run) View {
	if m.obs != nil && run.Lo < run.Hi {
		m.obs.Touch(Read, op, r, layer, run)
	}
	return m.view(layer, run)
}

// Write returns access to a layer of the run, for writing all of it. Of AllLayers it is the first one: the others are
// reached by Layer.
func (m *Memory) Write(op OpID, r Req, layer int, run Run) View {
	if m.obs != nil && run.Lo < run.Hi {
		m.obs.Touch(Write, op, r, layer, run)
	}
	return m.view(layer, run)
}

func (m *Memory) view(layer int, run Run) View {
	v := View{mem: m, run: run, layer: int32(max(layer, 0)), whole: layer == AllLayers}
	if run.Lo > 0 { // reads begin at the first position: no division
		v.first = run.Lo / m.layout.BlockTokens
	}
	return v
}

// Layer is access to another layer. All must have been asked for: what is used has been reported.
func (v *View) Layer(n int) View {
	if !v.whole && int32(n) != v.layer {
		panic("cache: a view of one layer leads to no other")
	}
	other := *v
	other.layer = int32(n)
	return other
}

// Blocks is the number of blocks that the run touches.
func (v *View) Blocks() int {
	if v.run.Lo >= v.run.Hi {
		return 0
	}
	return int((v.run.Hi-1)/v.mem.layout.BlockTokens - v.first + 1)
}

// Block returns the K and the V words of the run's slots in its i-th block, [slot][word].
func (v *View) Block(i int) (k, val []uint32) {
	m := v.mem
	index, size := v.first+int32(i), m.layout.BlockTokens
	lo, hi := max(v.run.Lo-index*size, 0), min(v.run.Hi-index*size, size)
	from := int(v.run.Table[index])*m.stride + int(v.layer)*2*m.plane + int(lo*m.layout.TokenWords)
	n := int((hi - lo) * m.layout.TokenWords)
	return m.words[from : from+n : from+n], m.words[from+m.plane : from+m.plane+n : from+m.plane+n]
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
	x := uint32(b)*0x9e3779b9 + 0x7f4a7c15
	for i, words := 0, m.block(b); i < len(words); i++ {
		x = x*1664525 + 1013904223
		words[i] = x &^ (1 << 30)
	}
	if m.obs != nil {
		m.obs.Block(Poison, Req{}, b, 0)
	}
}

// CloneInto copies the contents into dst, which has the same layout.
func (m *Memory) CloneInto(dst *Memory) { copy(dst.words, m.words) }
