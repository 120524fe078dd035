package invariants

import "custody/cache"

// memoryBook is what each KV slot holds: who wrote it, for which content, and whether it is poisoned.
type memoryBook struct {
	blocks, size, layers int32  // size: tokens of a block
	slots                []slot // [layer][block][slot]
	runs                 []run  // [layer][block]
	ages                 []age  // by block
	foreign              bool   // the worker that writes has another layout
}

// slot is what the ledger knows of one KV slot of one layer. It is small because every position written stores one.
type slot struct {
	tag   uint64 // content: identity and all tokens up to the position it was written for
	epoch uint32 // the block's when it was written
	life  uint32 // that wrote it, by number; 0: never written
}

// poison is the life of a slot that was poisoned and has been marked so by itself.
const poison = ^uint32(0)

// run is what vouches for a layer of a block as long as it is written from front to back, which it nearly always is:
// its first n slots were written in one epoch, each for the position after the one before, and the last of them holds
// the content of the tag. With n zero nothing vouches, and each slot is looked at.
type run struct {
	tag   uint64
	epoch uint32
	n     int32
}

// age tells the holdings of a block apart.
type age struct {
	epoch uint32 // raised by every allocation
	wiped uint32 // slots written before this epoch are poisoned
}

func newMemoryBook(s *Shape, foreign bool) memoryBook {
	return memoryBook{
		blocks: s.Blocks, size: s.BlockTokens, layers: s.Layers, foreign: foreign,
		slots: make([]slot, s.Layers*s.Blocks*s.BlockTokens), runs: make([]run, s.Layers*s.Blocks), ages: make([]age, s.Blocks),
	}
}

func (m *memoryBook) reset() {
	clear(m.slots)
	clear(m.runs)
	clear(m.ages)
}

func (m *memoryBook) cloneInto(dst *memoryBook) {
	copy(dst.slots, m.slots)
	copy(dst.runs, m.runs)
	copy(dst.ages, m.ages)
}

// at is the place of a layer of a block.
func (m *memoryBook) at(layer int32, b cache.BlockID) int32 { return layer*m.blocks + int32(b) }

// slotAt is one slot of a layer of a block.
func (m *memoryBook) slotAt(layer int32, b cache.BlockID, i int32) *slot {
	return &m.slots[m.at(layer, b)*m.size+i]
}

// renew begins a new epoch of a block that is handed out.
func (m *memoryBook) renew(b cache.BlockID) uint32 {
	m.ages[b].epoch++
	return m.ages[b].epoch
}

// write takes in, block by block, that a life has written a run. Tags are those of all its positions.
func (m *memoryBook) write(life uint32, layer int32, run cache.Run, holds []hold, tags []uint64) {
	s := slot{life: life}
	for i, from := run.Lo/m.size, run.Lo; from < run.Hi; i++ {
		start := i * m.size
		to := min(start+m.size, run.Hi)
		b := run.Table[i]
		s.epoch = m.ages[b].epoch // of a block that it does not hold, should it come to that
		if int(i) < len(holds) && holds[i].block == b {
			s.epoch = holds[i].epoch
		}
		if s.epoch < m.ages[b].wiped {
			m.spellOut(b)
		}
		at := layer*m.blocks + int32(b)
		block := m.slots[at*m.size+from-start:][:to-from]
		last := &block[to-from-1]
		if to-start > m.runs[at].n || last.tag != tags[to-1] || last.epoch != s.epoch { // else it is the same content again
			m.runs[at].extend(from-start, s.epoch, prior(tags, from), tags[from:to])
		}
		for j, tag := range tags[from:to] {
			s.tag = tag
			block[j] = s
		}
		if m.foreign {
			estrange(block)
			m.runs[at].n = 0
		}
		from = to
	}
}

func prior(tags []uint64, p int32) uint64 {
	if p == 0 {
		return 0
	}
	return tags[p-1]
}

// extend takes in that the slots from `from` on were written with the tags, `before` being the tag of the position
// before them.
func (x *run) extend(from int32, epoch uint32, before uint64, tags []uint64) {
	if from != 0 && (from != x.n || x.epoch != epoch || x.tag != before) {
		x.n = 0
		return
	}
	*x = run{tag: tags[len(tags)-1], epoch: epoch, n: from + int32(len(tags))}
}

// estrange marks slots that a worker of another layout has just written.
func estrange(slots []slot) {
	for i := range slots {
		slots[i].tag = ^slots[i].tag
	}
}

// copy takes in that all layers of a block were copied.
func (m *memoryBook) copy(c cache.Copy) {
	epoch := m.ages[c.To].epoch
	if epoch < m.ages[c.To].wiped {
		m.spellOut(c.To)
	}
	for layer := range m.layers {
		for i := range m.size {
			s := *m.slotAt(layer, c.From, i)
			if m.state(&s, c.From, false) == SlotPoisoned {
				s = slot{life: poison}
			}
			s.epoch = epoch
			*m.slotAt(layer, c.To, i) = s
		}
		to := &m.runs[m.at(layer, c.To)]
		*to = m.runs[m.at(layer, c.From)]
		to.epoch = epoch
	}
}

// poison takes in that a block has been overwritten.
func (m *memoryBook) poison(b cache.BlockID) {
	m.ages[b].wiped = m.ages[b].epoch + 1
	for layer := range m.layers {
		m.runs[m.at(layer, b)].n = 0
	}
}

// spellOut marks each poisoned slot of a block by itself: a write that comes too late, under an old epoch, is about to
// make one of them a written one.
func (m *memoryBook) spellOut(b cache.BlockID) {
	for layer := range m.layers {
		for i := range m.size {
			if s := m.slotAt(layer, b, i); s.epoch < m.ages[b].wiped {
				*s = slot{life: poison}
			}
		}
	}
	m.ages[b].wiped = 0
}

// state is what a slot of a block holds. It is stale if it was written for an earlier holder than its reader.
func (m *memoryBook) state(s *slot, b cache.BlockID, stale bool) SlotState {
	switch {
	case s.epoch < m.ages[b].wiped, s.life == poison:
		return SlotPoisoned
	case s.life == 0:
		return SlotUnwritten
	case stale:
		return SlotStale
	}
	return SlotWritten
}

// whole tells whether a block, in its last layer, holds the content that ends in the tag.
func (m *memoryBook) whole(b cache.BlockID, tag uint64) bool {
	x := &m.runs[m.at(m.layers-1, b)]
	return x.n == m.size && x.tag == tag
}

// intact tells the same of all layers, by each slot as well as by what vouches for them.
func (m *memoryBook) intact(b cache.BlockID, tag uint64) bool {
	for layer := range m.layers {
		x := &m.runs[m.at(layer, b)]
		for i := range m.size {
			s := m.slotAt(layer, b, i)
			if m.state(s, b, s.epoch != x.epoch) != SlotWritten {
				return false
			}
		}
		if m.slotAt(layer, b, m.size-1).tag != tag {
			return false
		}
	}
	return m.whole(b, tag)
}
