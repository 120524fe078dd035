package explain

import "custody/cache"

// memory is the narrator as an observer of the engine and its worker.
type memory struct {
	inattentive
	*Narrator
}

// here is the present step, and the place in the source that is at work.
func (n *Narrator) here(hide ...string) mark {
	return mark{step: n.world.Step().Number, place: place(2, hide...)}
}

// Block implements cache.Observer: it remembers where a block was handed out and freed.
func (m *memory) Block(k cache.BlockKind, _ cache.Req, b cache.BlockID, _ cache.OpID) {
	switch k {
	case cache.Alloc, cache.Adopt:
		m.given[b] = m.here("custody/cache.")
	case cache.Freed:
		m.freed[b] = m.here("custody/cache.", ".release", ".move", ".end")
	}
}

// Touch implements cache.Observer: it remembers when a slot was written.
func (m *memory) Touch(k cache.TouchKind, _ cache.OpID, _ cache.Req, _ int, run cache.Run) {
	if size := m.world.Layout().BlockTokens; k == cache.Write {
		for p := run.Lo; p < run.Hi; p++ {
			m.wrote[slotAt{run.Table[p/size], p % size}] = mark{step: m.world.Step().Number}
		}
	}
}

// CopyBlock implements cache.Observer: it remembers when a copy wrote.
func (m *memory) CopyBlock(_ cache.OpID, c cache.Copy) {
	for i := range m.world.Layout().BlockTokens {
		m.wrote[slotAt{c.To, i}] = mark{step: m.world.Step().Number}
	}
}

// Row implements cache.Observer: it remembers where a row was bound, and what it was not cleared of.
func (m *memory) Row(k cache.RowKind, row int32, r cache.Req) {
	if k != cache.Bound {
		delete(m.bound, row)
		return
	}
	now := binding{mark: m.here(".report", ".bind"), client: m.world.Roster().Of(r)}
	if before, ok := m.bound[row]; ok {
		now.left = &before
	}
	m.bound[row] = now
}

// Life implements cache.Observer: it remembers whose a life is.
func (m *memory) Life(r cache.Req, k cache.LifeKind, _ cache.Cause) { m.lives.saw(r, k) }

// Use implements cache.Observer: it remembers in which row a request was computed.
func (m *memory) Use(u *cache.Used) { m.used[m.world.Roster().Of(u.Req)] = u.Row }
