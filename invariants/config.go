package invariants

// LayoutAgreed promises: two parties that write and read the same KV, or index by the same ids, agree on
// every layout field, or the pair never runs.
//
// Observes: what each party has been configured with, from whoever configured it, and operations issued.
//
// Decides: no operation is issued while two parties differ in a field. What a worker of another layout writes is
// content of another identity, so a handshake that lets it pass breaks `content` too, as soon as somebody reads.
//
// Says: that it happened; the parties' layouts are in the script's header.
const LayoutAgreed ID = 13

// OtherLimitsRan is reached when a worker that differs in its limits, and in no layout field, ran a pass.
const OtherLimitsRan Mark = Mark(LayoutAgreed) << markBits

var configStatement = Statement{
	ID: LayoutAgreed, Name: "config", Unit: "operations issued",
	Sentence: "two parties that write and read the same KV, or index by the same ids, agree on every layout field, " +
		"or the pair never runs",
	Marks: []MarkStatement{
		{Mark: OtherLimitsRan, Name: "other-limits-ran",
			Sentence: "a worker that differs in its limits, and in no layout field, ran a pass"},
	},
}

func checkLayouts(l *Ledger) {
	l.checks[LayoutAgreed]++
	if l.foreign {
		l.breach(plain(LayoutAgreed, -1, "an operation was issued to a worker of another layout"))
	}
}
