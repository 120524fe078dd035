package cache

import "slices"

// Canon appends what decides the pool's future: tables, the order of the free list, what can be found and what is on its
// way back. Tables stand in the order in which the form has named their requests, then those that only the pool knows.
func (p *Pool) Canon(c *Canon) {
	if p.cfg.Order == FreeRandom {
		c.keepBlocks() // the coin is keyed by their numbers
	}
	if p.cfg.Prefix {
		c.KeepTenants() // a key means its domain
	}
	for i, r := range c.lives {
		if !holds(c.lives[:i], r.Slot) {
			p.canonTable(c, int32(i), r.Slot)
		}
	}
	for slot := range int32(len(p.tables.used)) {
		if !holds(c.lives, slot) {
			p.canonTable(c, -slot-1, slot)
		}
	}
	p.free.canon(c)
	p.unwritten.canon(c)
	p.returning.canon(c, p.cfg.Release)
	for b := range p.refs { // nobody has named a block that has been lost
		if !c.names[aBlock].has(int32(b)) {
			c.Block(BlockID(b))
		}
	}
	for _, b := range c.names[aBlock].met {
		c.Int(p.refs[b])
		p.returning.canonBlock(c, BlockID(b))
		p.free.canonBlock(c, BlockID(b))
		p.index.canonBlock(c, BlockID(b))
	}
}

// holds tells whether one of the lives is a slot's.
func holds(lives []Req, slot int32) bool {
	return slices.ContainsFunc(lives, func(r Req) bool { return r.Slot == slot })
}

func (p *Pool) canonTable(c *Canon, name, slot int32) {
	if p.tables.used[slot] == 0 {
		return
	}
	c.Int(name)
	c.Table(p.tables.of(slot))
	c.Int(p.filed[slot])
	if p.filed[slot] > 0 {
		c.Word(p.chain[slot])
	}
}

// canon appends the list, front first.
func (f *freeList) canon(c *Canon) {
	c.Int(f.len)
	for b := f.next[f.n]; b != f.n; b = f.next[b] {
		c.Block(BlockID(b))
	}
}

func (f *freeList) canonBlock(c *Canon, b BlockID) {
	if f.order == FreeRandom {
		c.Int(int32(f.frees[b]))
	}
}

func (u unwritten) canon(c *Canon) {
	c.Int(int32(len(u)))
	for i := range u {
		c.Block(u[i].block)
		c.Op(u[i].op)
		c.Req(u[i].req)
	}
}

func (x *returning) canon(c *Canon, policy ReleasePolicy) {
	c.Int(int32(len(x.list)))
	for i := range x.list {
		c.Block(x.list[i].block)
		c.Op(x.list[i].after)
		c.Bool(x.list[i].poison)
	}
	if policy == ReleaseOrdered {
		c.Op(x.settled)
	}
}

func (x *returning) canonBlock(c *Canon, b BlockID) {
	busy := x.busy[b] > x.settled
	c.Bool(busy)
	if busy {
		c.Op(x.busy[b])
	}
}

func (x *index) canonBlock(c *Canon, b BlockID) {
	c.Bool(x.published[b])
	if x.published[b] {
		c.Word(x.key[b])
		c.Block(x.behind(b))
	}
}
