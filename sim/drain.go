package sim

import "custody/traces"

// drain does the next piece of the second phase: the script has ended, so nothing new is submitted (what waits at an
// anchor stays), and everything must come to its end within a bound that follows from the work that is outstanding.
func (c *cursor) drain() bool {
	w := c.world
	if !c.begun {
		w.begin(StepDrain)
		w.end()
		c.begun, c.left = true, c.drainBound()
		return true
	}
	if c.left > 0 && w.runNext() {
		c.left--
		return true
	}
	w.begin(StepDrain)
	w.saw(Fact{Kind: Drained, Applied: w.atRest()})
	w.end()
	return false
}

// drainBound is the number of steps in which what is live must end. Every token of a live request may take a pass of its
// own (three steps and a delivery), and every other live request, anchored event and armed fault may make it compute
// everything again once; a refusal does so `requeues` times more.
func (c *cursor) drainBound() int64 {
	w := c.world
	tokens, live, again := int64(0), int64(0), int64(len(c.anchors)+len(w.faults.armed))
	for i := range w.roster.clients {
		if x := &w.roster.clients[i]; x.Live && !x.Ended {
			live++
			tokens += w.cfg.engine[traces.MaxLen]
		}
	}
	return 64 + int64(w.effects.count(StepDeliver)) + 4*(tokens+16)*(live+1+again)*(w.cfg.engine[traces.Requeues]+2)
}

// atRest tells whether nothing is live, nothing is outstanding and everybody has been told.
func (w *World) atRest() bool { return w.roster.allTold() && len(w.effects.list) == 0 }
