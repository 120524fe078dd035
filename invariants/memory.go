package invariants

import "custody/cache"

// memoryBook is what each KV slot holds: who wrote it, for which content, and whether it is poisoned. As long as all layers
// of a block are written together, one record stands for them. A block that is written layer by layer is divided, until
// it is poisoned: then every layer has a record of its own.
type memoryBook struct {
	blocks, size, layers int32    // size: tokens of a block
	joint                record   // of all layers together
	apart                []record // by layer, of divided blocks
	layered              bool     // there has been a divided block: only then the layers' records mean anything
	ages                 []age    // by block
	foreign              bool     // the worker that writes has another layout
}

// record is what the blocks hold in a layer, or in all of them. A block of which another record tells has a run of zero slots.
type record struct {
	slots []slot // [block][slot]
	runs  []run  // by block
	size  int32  // tokens of a block
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
	epoch   uint32 // raised by every allocation
	wiped   uint32 // slots written before this epoch are poisoned
	divided bool
}

func newMemoryBook(s *Shape, foreign bool) memoryBook {
	return memoryBook{
		blocks: s.Blocks, size: s.BlockTokens, layers: s.Layers, foreign: foreign,
		joint: newRecord(s.Blocks, s.BlockTokens), ages: make([]age, s.Blocks),
	}
}

func newRecord(blocks, size int32) record {
	return record{slots: make([]slot, blocks*size), runs: make([]run, blocks), size: size}
}

func (m *memoryBook) reset() {
	m.joint.reset()
	m.layered = false
	clear(m.ages)
}

func (k *record) reset() {
	clear(k.slots)
	clear(k.runs)
}

func (m *memoryBook) cloneInto(dst *memoryBook) {
	m.joint.cloneInto(&dst.joint)
	if dst.layered = m.layered; m.layered {
		dst.makeLayers()
		for i := range m.apart {
			m.apart[i].cloneInto(&dst.apart[i])
		}
	}
	copy(dst.ages, m.ages)
}

func (k *record) cloneInto(dst *record) {
	copy(dst.slots, k.slots)
	copy(dst.runs, k.runs)
}

// makeLayers makes the records of the layers, if that has not been done.
func (m *memoryBook) makeLayers() {
	for len(m.apart) < int(m.layers) {
		m.apart = append(m.apart, newRecord(m.blocks, m.size))
	}
}

// of is the record that tells of a layer of a block.
func (m *memoryBook) of(layer int32, b cache.BlockID) *record {
	if m.ages[b].divided {
		return &m.apart[layer]
	}
	return &m.joint
}

// divide gives every layer of a block a record of its own.
func (m *memoryBook) divide(b cache.BlockID) {
	if !m.layered {
		m.makeLayers()
		for i := range m.apart {
			m.apart[i].reset()
		}
		m.layered = true
	}
	from, to := int32(b)*m.size, (int32(b)+1)*m.size
	for i := range m.apart {
		copy(m.apart[i].slots[from:to], m.joint.slots[from:to])
		m.apart[i].runs[b] = m.joint.runs[b]
	}
	m.joint.runs[b].n = 0
	m.ages[b].divided = true
}

// span is the layers that an access means, from the first to behind the last.
func (m *memoryBook) span(layer int) (from, to int32) {
	if layer == cache.AllLayers {
		return 0, m.layers
	}
	return int32(layer), int32(layer) + 1
}

// slotAt is one slot of a layer of a block.
func (m *memoryBook) slotAt(layer int32, b cache.BlockID, i int32) *slot {
	return &m.of(layer, b).slots[int32(b)*m.size+i]
}

// renew begins a new epoch of a block that is handed out.
func (m *memoryBook) renew(b cache.BlockID) uint32 {
	m.ages[b].epoch++
	return m.ages[b].epoch
}

// write takes in, block by block, that a life has written a run. Tags are those of all its positions.
func (m *memoryBook) write(life uint32, layer int, run cache.Run, holds []hold, tags []uint64) {
	i, by := 0, slot{life: life}
	if run.Lo > 0 {
		i = int(run.Lo / m.size)
		by.tag = tags[run.Lo-1]
	}
	for from, start := run.Lo, int32(i)*m.size; from < run.Hi; i++ {
		b, next := run.Table[i], start+m.size
		by.epoch = m.ages[b].epoch // of a block that it does not hold, should it come to that
		if i < len(holds) && holds[i].block == b {
			by.epoch = holds[i].epoch
		}
		part := tags[from:min(next, run.Hi)]
		m.put(layer, b, from-start, by, part)
		by.tag = part[len(part)-1]
		from, start = next, next
	}
}

// put enters, in a layer or in all of them, what was written to the slots of a block from the first one on. By stands for the
// writer and for the content before.
func (m *memoryBook) put(layer int, b cache.BlockID, first int32, by slot, tags []uint64) {
	x := &m.ages[b]
	if by.epoch < x.wiped {
		m.spellOut(b)
	}
	if layer != cache.AllLayers && !x.divided {
		m.divide(b)
	}
	if !x.divided && !m.foreign {
		m.joint.put(b, first, by, tags)
		return
	}
	m.putEach(layer, b, first, by, tags)
}

// putEach enters what was written by records that are seldom needed: those of the layers, and those of a worker of another
// layout.
func (m *memoryBook) putEach(layer int, b cache.BlockID, first int32, by slot, tags []uint64) {
	at, end := m.span(layer)
	if !m.ages[b].divided {
		end = at + 1
	}
	for ; at < end; at++ {
		k := m.of(at, b)
		k.put(b, first, by, tags)
		if m.foreign {
			k.estrange(b, first, len(tags))
		}
	}
}

func (k *record) put(b cache.BlockID, first int32, by slot, tags []uint64) {
	slots := k.slots[int32(b)*k.size+first:][:len(tags)]
	x, n, last := &k.runs[b], first+int32(len(tags)), len(tags)-1
	if n > x.n || slots[last].tag != tags[last] || slots[last].epoch != by.epoch { // else it is the same content again
		if first == 0 || (first == x.n && x.epoch == by.epoch && x.tag == by.tag) {
			*x = run{tag: tags[last], epoch: by.epoch, n: n}
		} else {
			x.n = 0
		}
	}
	for i, tag := range tags {
		by.tag = tag
		slots[i] = by
	}
}

// estrange marks slots that a worker of another layout has just written.
func (k *record) estrange(b cache.BlockID, first int32, n int) {
	slots := k.slots[int32(b)*k.size+first:][:n]
	for i := range slots {
		slots[i].tag = ^slots[i].tag
	}
	k.runs[b].n = 0
}

// vouches tells, by one comparison a block, whether a run holds the content of the tags, written since its blocks were taken
// or found. If not, it may still be so: then each slot has to be looked at.
func (m *memoryBook) vouches(layer int, at cache.Run, holds []hold, tags []uint64) bool {
	runs := m.joint.runs
	if layer != cache.AllLayers && m.layered {
		runs = m.apart[layer].runs
	}
	first, last := 0, int((at.Hi-1)/m.size)
	if at.Lo > 0 { // nearly every read begins at the first position: no division
		first = int(at.Lo / m.size)
	}
	if last >= len(holds) {
		return false
	}
	table, holds, size := at.Table[first:last], holds[first:last+1], int(m.size)
	wrong, end := uint64(0), first*size-1
	for i, b := range table {
		end += size
		wrong |= runs[b].differs(&holds[i], b, tags[end], m.size)
	}
	b := at.Table[last]
	return wrong|runs[b].differs(&holds[len(table)], b, tags[at.Hi-1], at.Hi-int32(end+1)) == 0
}

// differs is zero if a run vouches for n slots that end in the content of a tag, written since the block was held.
func (x *run) differs(h *hold, b cache.BlockID, tag uint64, n int32) uint64 {
	return x.tag ^ tag | uint64(uint32(x.n^n)|(x.epoch^h.epoch)|uint32(b^h.block))
}

// copy takes in that all layers of a block were copied.
func (m *memoryBook) copy(c cache.Copy) {
	to := &m.ages[c.To]
	if to.epoch < to.wiped {
		m.spellOut(c.To)
	}
	switch from := m.ages[c.From].divided; {
	case from && !to.divided:
		m.divide(c.To)
	case !from && !to.divided:
		m.copySlots(&m.joint, &m.joint, c)
		return
	}
	for layer := range m.layers {
		m.copySlots(&m.apart[layer], m.of(layer, c.From), c)
	}
}

func (m *memoryBook) copySlots(to, from *record, c cache.Copy) {
	epoch := m.ages[c.To].epoch
	for i := range m.size {
		s := from.slots[int32(c.From)*m.size+i]
		if m.state(&s, c.From, false) == SlotPoisoned {
			s = slot{life: poison}
		}
		s.epoch = epoch
		to.slots[int32(c.To)*m.size+i] = s
	}
	to.runs[c.To] = from.runs[c.From]
	to.runs[c.To].epoch = epoch
}

// poison takes in that a block has been overwritten. No layer holds anything that could not stand in one record.
func (m *memoryBook) poison(b cache.BlockID) {
	x := &m.ages[b]
	m.joint.runs[b].n = 0
	if x.divided {
		for i := range m.apart {
			m.apart[i].runs[b].n = 0
		}
	}
	x.wiped, x.divided = x.epoch+1, false
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
	x := &m.of(m.layers-1, b).runs[b]
	return x.n == m.size && x.tag == tag
}

// intact tells the same of all layers, by each slot as well as by what vouches for them.
func (m *memoryBook) intact(b cache.BlockID, tag uint64) bool {
	for layer := range m.layers {
		x := &m.of(layer, b).runs[b]
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
