package invariants

import "custody/cache"

var limitsStatement = Statement{
	ID: Limits, Name: "limits", Unit: "rows planned, requests accepted and admitted",
	Sentence: "scheduled tokens within the budget, rows within the row limit, queue and quota within their bounds, no table beyond the maximum length",
}

// Observes: what each issued pass will compute, requests that are accepted, requests that get a row.
// Decides: by its own counts, against the limits that the engine was configured with.

// checkPlanned checks one row of an issued pass.
func (l *Ledger) checkPlanned(o *operation, r cache.Req, run cache.Run) {
	l.checks[Limits]++
	o.tokens += run.Hi - run.Lo
	if o.tokens == l.cfg.Budget {
		l.Reach(BudgetFilled)
	}
	switch {
	case o.tokens > l.cfg.Budget:
		l.breach(l.overLimit(o, r, "a pass was issued with more tokens than the budget"))
	case run.Hi > l.cfg.MaxLen:
		l.breach(l.overLimit(o, r, "a row was issued beyond the maximum length"))
	case int32(len(run.Table)) > l.stride:
		l.breach(l.overLimit(o, r, "a table is longer than the maximum length needs"))
	}
}

func (l *Ledger) overLimit(o *operation, r cache.Req, detail string) Breach {
	b := plain(Limits, l.who(r), detail)
	b.Op = o.op
	return b
}

// checkAccepted checks a request that was let in, before it counts.
func (l *Ledger) checkAccepted(c *client) {
	l.checks[Limits]++
	if l.queued >= l.cfg.MaxQueue {
		l.breach(plain(Limits, c.index, "a request was accepted although the queue was full"))
	}
	if t := c.tenant; t >= 0 && int(t) < len(l.tenants) && l.cfg.Quotas[t] > 0 && l.tenants[t] >= l.cfg.Quotas[t] {
		l.breach(plain(Limits, c.index, "a request was accepted although its tenant's quota was used up"))
	}
}

// checkRunning checks a request that got a row.
func (l *Ledger) checkRunning(r cache.Req) {
	l.checks[Limits]++
	if int32(len(l.running)) == l.cfg.MaxRows {
		l.Reach(RowsFilled)
	}
	if int32(len(l.running)) > l.cfg.MaxRows {
		l.breach(plain(Limits, l.who(r), "more requests run than there are rows"))
	}
}
