package sim

// drain does the next piece of the second phase: the script has ended, so nothing new is submitted (what waits at an
// anchor stays), and everything must come to its end within a bound that follows from the work that is outstanding.
func (w *world) drain(p *part) bool {
	if !p.begun {
		w.begin(stepDrain)
		w.end()
		p.begun, p.left = true, w.drainBound()
		return true
	}
	if p.left > 0 && w.advance() {
		p.left--
		return true
	}
	w.begin(stepDrain)
	w.ledger.Drained(w.atRest())
	if w.atRest() {
		w.ledger.AtRest()
	}
	w.tellDrained()
	w.end()
	return false
}

// drainBound is the number of steps in which what is live must end. Every token of a live request may take a pass of its
// own (three steps and a delivery), and every other live request, anchored event and armed fault may make it compute
// everything again once; a refusal does so `requeues` times more.
func (w *world) drainBound() int64 {
	tokens, live, again := int64(0), int64(0), int64(len(w.anchors)+len(w.faults.armed))
	for i := range w.clients {
		if c := &w.clients[i]; c.live && !c.ended {
			live++
			tokens += int64(w.scheduler.MaxLen)
		}
	}
	return 64 + int64(len(w.messages)) + 4*(tokens+16)*(live+1+again)*int64(w.scheduler.Requeues+2)
}

// atRest tells whether nothing is live, nothing is outstanding and everybody has been told.
func (w *world) atRest() bool {
	for i := range w.clients {
		if w.clients[i].live {
			return false
		}
	}
	_, _, _, more := w.next()
	return !more
}
