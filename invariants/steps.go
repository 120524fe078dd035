package invariants

// What the world tells about its steps.

// Begin starts a step: one event of the given kind, applied to the world.
func (l *Ledger) Begin(step int64, event uint8) { l.step, l.event, l.order.exempt = step, event, false }

// ExemptVictims tells the ledger that the preemptions of this step are somebody's wish, and follow no rule.
func (l *Ledger) ExemptVictims() { l.order.exempt = true }

// EndStep ends a step: its event came to its end, and the checks are made that only hold between events.
func (l *Ledger) EndStep() {
	checkSurvived(l)
	checkMirror(l)
}

// Crashed ends a step, and the run, in a panic. The detail is the function and the kind of error, which is its identity.
func (l *Ledger) Crashed(detail string) { checkCrash(l, detail) }

// Drained tells the ledger whether a drain came to its end within its bound.
func (l *Ledger) Drained(ok bool) { checkDrainEnded(l, ok) }

// Held tells the ledger how many blocks an engine that hides its facts calls held itself, when nothing is live.
func (l *Ledger) Held(blocks int32) { checkHeld(l, blocks) }

// AtRest tells the ledger that nothing is live and nothing is under way, and runs every full check.
func (l *Ledger) AtRest() {
	l.Audit()
	checkBlocksAtRest(l)
	checkNothingHeld(l)
	checkEveryEndTold(l)
	l.guests.audit(l)
}
