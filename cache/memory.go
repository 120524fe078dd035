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
	words  []uint32
	obs    Observer
}

// NewMemory returns zeroed memory of the layout.
func NewMemory(l Layout) *Memory {
	return &Memory{layout: l, words: make([]uint32, int(l.Blocks)*l.blockWords())}
}

func (l Layout) planeWords() int { return int(l.BlockTokens * l.TokenWords) }
func (l Layout) blockWords() int { return int(l.Layers) * 2 * l.planeWords() }

// Attach sets the observer; nil detaches it.
func (m *Memory) Attach(o Observer) { m.obs = o }

// Reset zeroes the memory.
func (m *Memory) Reset() { clear(m.words) }

// View is access to one layer of a run of positions, block by block.
type View struct {
	words       []uint32
	run         Run
	first       int32 // index into the table of the first block
	blockTokens int32
	tokenWords  int32
	layerAt     int // offset of the layer's K plane within a block
	blockWords  int
}

// Read returns access to a layer of the run, for reading.
func (m *Memory) Read(op OpID, r Req, layer int, run Run) View {
	if m.obs != nil && run.Lo < run.Hi {
		m.obs.Touch(Read, op, r, layer, run)
	}
	return m.view(layer, run)
}

// Write returns access to a layer of the run, for writing all of it.
func (m *Memory) Write(op OpID, r Req, layer int, run Run) View {
	if m.obs != nil && run.Lo < run.Hi {
		m.obs.Touch(Write, op, r, layer, run)
	}
	return m.view(layer, run)
}

func (m *Memory) view(layer int, run Run) View {
	l := &m.layout
	return View{
		words: m.words, run: run, first: run.Lo / l.BlockTokens,
		blockTokens: l.BlockTokens, tokenWords: l.TokenWords,
		layerAt: layer * 2 * l.planeWords(), blockWords: l.blockWords(),
	}
}

// Blocks is the number of blocks that the run touches.
func (v *View) Blocks() int {
	if v.run.Lo >= v.run.Hi {
		return 0
	}
	return int((v.run.Hi-1)/v.blockTokens - v.first + 1)
}

// Block returns the K and the V words of the run's slots in its i-th block, [slot][word].
func (v *View) Block(i int) (k, val []uint32) {
	index := v.first + int32(i)
	lo, hi := max(v.run.Lo, index*v.blockTokens), min(v.run.Hi, (index+1)*v.blockTokens)
	plane := int(v.blockTokens * v.tokenWords)
	at := int(v.run.Table[index])*v.blockWords + v.layerAt
	from := at + int((lo-index*v.blockTokens)*v.tokenWords)
	n := int((hi - lo) * v.tokenWords)
	return v.words[from : from+n : from+n], v.words[from+plane : from+plane+n : from+plane+n]
}

// Copy writes all layers of one block into another.
func (m *Memory) Copy(op OpID, c Copy) {
	if m.obs != nil {
		m.obs.CopyBlock(op, c)
	}
	copy(m.block(c.To), m.block(c.From))
}

func (m *Memory) block(b BlockID) []uint32 {
	n := m.layout.blockWords()
	return m.words[int(b)*n : int(b)*n+n]
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
