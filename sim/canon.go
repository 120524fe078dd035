package sim

import (
	"custody/cache"
	"custody/sim/engine"
)

// Canon writes the world down so that worlds with the same future become the same words (cache.Canon). Blocks, lives,
// tenants and names are called by their first use, times and operations relative to what is outstanding; names in the
// narrative, counters, the clock and what has been stay out, and so does the script: the future is what the next lines
// make of it. It reports false if the engine or its worker cannot be written down.
//
// Two worlds of one setup with equal sums go on alike, if the engine keeps its promises up to then: what it reads then
// follows from tokens and identities, and not from what else stands in memory.
func (w *World) Canon(c *cache.Canon) bool {
	c.Reset()
	for i := range w.nodes {
		e, can := w.nodes[i].Engine.(engine.Canonical)
		x, canToo := w.nodes[i].Worker.(engine.Canonical)
		if !can || !canToo {
			return false
		}
		e.Canon(c)
		x.Canon(c)
	}
	w.effects.canon(c, w)
	w.faults.canon(c)
	w.cursor.canon(c)
	w.roster.canon(c, w.Node().Engine)
	return true
}
