package invariants

var configStatement = Statement{
	ID: LayoutAgreed, Name: "config", Unit: "operations issued",
	Sentence: "two parties that write and read the same KV, or index by the same ids, agree on every layout field, or the pair never runs",
}

// Observes: what each party has been configured with, from whoever configured it, and operations issued.
// Decides: no operation is issued while two parties differ in a field. What a worker of another layout writes is content of
// another identity, so a handshake that lets it pass breaks `content` too, as soon as somebody reads.

func checkLayouts(l *Ledger) {
	l.checks[LayoutAgreed]++
	if l.foreign {
		l.breach(plain(LayoutAgreed, -1, "an operation was issued to a worker of another layout"))
	}
}
