package sim

import (
	"fmt"
	"slices"

	"custody/cache"
	"custody/sim/engine"
	"custody/traces"
)

// What the engine under test can do, and when it hears.

// Can tells whether a verb means something to the engine: it claims so, and has the ability that it takes. A line of any other
// verb is a recorded no-op. A slow pass is the world's own doing.
func (n *Node) Can(v traces.Verb) bool {
	x := &verbs[v]
	return (!x.claimed || slices.Contains(n.Claims.Can, v)) && (x.able == nil || x.able(n))
}

// hears tells whether the engine takes a line in now. A deaf one hears nothing but cancellations while it has as many passes
// outstanding as it may.
func (n *Node) hears(v traces.Verb) bool {
	return !n.Claims.Deaf || !verbs[v].heard || n.world.effects.out[cache.PassQueue] < n.Claims.Depth
}

// meets says why the engine of a node is not the one that its script is for, or cannot run with its worker; or nil.
func (n *Node) meets(c *setup) error {
	if err := engineRunnable(&c.asked, n.Claims.Name, n.Claims.Settings); err != nil {
		return err
	}
	if x := &n.Claims; x.Slots < 1 || x.Depth < 1 || x.Queues < 1 || x.Queues > int(cache.NumQueues) {
		return fmt.Errorf("the engine claims %d slots, depth %d and %d queues: at least 1 of each, and at the most %d queues",
			x.Slots, x.Depth, x.Queues, cache.NumQueues)
	}
	if c.stricter() && !c.refused && !n.Can(traces.Refuse) {
		return engine.ErrRefusing
	}
	return nil
}
