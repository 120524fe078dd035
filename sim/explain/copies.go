package explain

import "custody/sim"

// The copies' bounds: bytes of all of them together, their number, and the steps between the first two.
const (
	copyBytes = 64 << 20
	maxCopies = 256
	copyEvery = 16
)

// copies are the worlds of a run at some of its steps, in order.
type copies struct {
	fresh func() *sim.World // in its first moment
	list  []*sim.World
	every int64 // steps from copy to copy
	most  int   // copies at the most; below 2 there are none
}

// pass looks at the first run between two pieces, and copies the world when the last copy is old enough.
func (c *copies) pass(w *sim.World) {
	last := int64(0)
	if n := len(c.list); n > 0 {
		last = c.list[n-1].Step().Number
	}
	if c.most < 2 || w.Step().Number-last < c.every {
		return
	}
	if len(c.list) == c.most {
		c.thin()
	}
	if x := c.fresh(); w.CloneInto(x) {
		c.list = append(c.list, x)
	}
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
func (c *copies) before(step int64) (last *sim.World) {
	for _, w := range c.list {
		if w.Step().Number < step {
			last = w
		}
	}
	return last
}
