package sim

import "custody/traces"

// The copies' bounds: bytes of all of them together, their number, and the steps between the first two.
const (
	copyBytes = 64 << 20
	maxCopies = 256
	copyEvery = 16
)

// copies are the worlds of a run at some of its steps, in order.
type copies struct {
	setup *setup
	list  []snapshot
	every int64 // steps from copy to copy
	most  int   // copies at the most; below 2 there are none
}

// snapshot is a copy of the world.
type snapshot struct {
	world *world
	at    position
}

// bytes is about what a copy of a world takes: for each slot of a layer its words and the ledger's entry, for each token
// of a client, of the request table and of a row what is kept by position.
func (c *setup) bytes(s *traces.Script) int64 {
	l := c.cache.Layout
	slots := int64(l.Layers) * int64(l.Blocks) * int64(l.BlockTokens)
	texts := int64(min(s.Size(), maxClients)) + int64(c.scheduler.Slots()+c.runner.Rows)
	return slots*int64(8*l.TokenWords+24) + texts*int64(c.scheduler.MaxLen)*16 + 1<<14
}

// pass is told where the first run stands between two pieces, and copies the world when the last copy is old enough.
func (c *copies) pass(w *world, at position) {
	last := int64(0)
	if n := len(c.list); n > 0 {
		last = c.list[n-1].world.step
	}
	if c.most < 2 || w.step-last < c.every {
		return
	}
	if len(c.list) == c.most {
		c.thin()
	}
	x := snapshot{world: newWorld(c.setup, worldOptions{}), at: at}
	w.cloneInto(x.world)
	c.list = append(c.list, x)
}

// thin drops every second copy.
func (c *copies) thin() {
	kept := c.list[:0]
	for i, x := range c.list {
		if i%2 == 1 {
			kept = append(kept, x)
		}
	}
	clear(c.list[len(kept):])
	c.list, c.every = kept, c.every*2
}

// before is the last copy before a step, or nil.
func (c *copies) before(step int64) (last *snapshot) {
	for i := range c.list {
		if c.list[i].world.step < step {
			last = &c.list[i]
		}
	}
	return last
}
