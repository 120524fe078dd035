package sim

import (
	"custody/invariants"
	"custody/scheduler/protocol"
)

// Marks that the ledger cannot see: see invariants.Marks.

// markIssued: a pass is being issued with the client's request in it; `first` is the client of its first row.
func (w *world) markIssued(c, first *client) {
	if c.issued > c.settled {
		w.ledger.Hit(invariants.PassOnPass)
	}
	if c.tenant != first.tenant {
		w.ledger.Hit(invariants.DomainsInOnePass)
	}
}

// markEnded: the engine has ended a request.
func (w *world) markEnded(c *client, out *protocol.Output) {
	if normal := out.Why == protocol.Stopped || out.Why == protocol.LengthEnd; normal && out.Req.Gen != c.req.Gen {
		w.ledger.Hit(invariants.EndedAfterRestart)
	}
}

// markSent: a message is about to go on its way.
func (w *world) markSent(m message) {
	if n := len(w.messages); n > w.sent && w.messages[n-1].client != m.client {
		w.ledger.Hit(invariants.MessagesInterleaved)
	}
}

// coverNameAgain counts a name that is used again. Its earlier client's number may be another's by now.
func (w *world) coverNameAgain(name int32) {
	i := w.byName[name]
	if i < 0 {
		return
	}
	w.coverage.NamesAgain++
	if c := &w.clients[i]; c.name == name && w.gapOf(c.last) != gapNone {
		w.ledger.Hit(invariants.NameAgainWithPass)
	}
}

// closeMarks counts the marks that the run has reached.
func (w *world) closeMarks() {
	if w.pool.Collisions() > 0 {
		w.ledger.Hit(invariants.KeysCollided)
	}
	if w.engine != w.worker && w.work.Passes > 0 {
		w.ledger.Hit(invariants.OtherLimitsRan)
	}
	for m, reached := range w.ledger.Hits() {
		w.coverage.Marks[m] = int64(b2i(reached))
	}
}
