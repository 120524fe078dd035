package invariants

var aliveStatement = Statement{
	ID: Alive, Name: "alive", Unit: "events",
	Sentence: "no event makes the engine panic or exceed its fuel",
}

// Observes: whether an event came to its end.
// Decides: the world recovers a panic of the system under test and stops the run.

// Crashed records a panic; the detail is the function and the kind of error, which is its identity.
func (l *Ledger) Crashed(detail string) {
	l.checks[Alive]++
	l.breach(plain(Alive, -1, detail))
}
