package invariants

import "custody/cache"

// Limits promises: scheduled tokens within the budget, rows within the row limit, queue and quota within
// their bounds, no table beyond the maximum length.
//
// Observes: what each issued pass will compute, requests that are accepted, requests that get a row.
//
// Decides: by its own counts, against the limits that the engine was configured with.
//
// Says: the request, the operation if there is one, and the bound that was passed.
const Limits ID = 14

const (
	BudgetFilled Mark = Mark(Limits)<<markBits + iota
	RowsFilled
)

var limitsStatement = Statement{
	ID: Limits, Name: "limits", Unit: "rows planned, requests accepted and admitted",
	Sentence: "scheduled tokens within the budget, rows within the row limit, queue and quota within their bounds, " +
		"no table beyond the maximum length",
	Marks: []MarkStatement{
		{Mark: BudgetFilled, Name: "budget-filled",
			Sentence: "a pass was issued with exactly as many tokens as the budget allows"},
		{Mark: RowsFilled, Name: "rows-filled", Sentence: "as many requests ran as there are rows"},
	},
}

// checkPlanned checks one row of an issued pass.
func checkPlanned(l *Ledger, o *operation, r cache.Req, run cache.Run) {
	l.checks[Limits]++
	o.tokens += run.Hi - run.Lo
	if o.tokens == l.cfg.Bounds.Budget {
		l.Hit(BudgetFilled)
	}
	switch {
	case o.tokens > l.cfg.Bounds.Budget:
		l.breach(overLimit(l, o, r, "a pass was issued with more tokens than the budget"))
	case run.Hi > l.cfg.Bounds.MaxLen:
		l.breach(overLimit(l, o, r, "a row was issued beyond the maximum length"))
	case int32(len(run.Table)) > l.blocks.stride:
		l.breach(overLimit(l, o, r, "a table is longer than the maximum length needs"))
	}
}

func overLimit(l *Ledger, o *operation, r cache.Req, detail string) Breach {
	b := plain(Limits, l.who(r), detail)
	b.Op = o.op
	return b
}

// checkAccepted checks a request that was let in, before it counts.
func checkAccepted(l *Ledger, a *account) {
	l.checks[Limits]++
	if l.door.full(&l.cfg.Bounds) {
		l.breach(plain(Limits, a.client, "a request was accepted although the queue was full"))
	}
	if l.door.usedUp(&l.cfg.Bounds, a.tenant) {
		l.breach(plain(Limits, a.client, "a request was accepted although its tenant's quota was used up"))
	}
}

// checkRunning checks a request that got a row.
func checkRunning(l *Ledger, r cache.Req) {
	l.checks[Limits]++
	n := int32(len(l.order.running))
	if n == l.cfg.Bounds.MaxRows {
		l.Hit(RowsFilled)
	}
	if n > l.cfg.Bounds.MaxRows {
		l.breach(plain(Limits, l.who(r), "more requests run than there are rows"))
	}
}
