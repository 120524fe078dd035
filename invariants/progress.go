package invariants

var progressStatement = Statement{
	ID: Progress, Name: "progress", Unit: "requests turned away and drains",
	Sentence: "a request that fits an empty engine ends normally, or by its own cancellation, within its bound; one that does not is refused at admission",
}

// Observes: requests turned away at the door, and whether a drain comes to its end within its bound.
// Decides: a request may be turned away only for a reason whose condition the ledger itself sees to hold: it keeps its
// own count of waiting requests and of each tenant's live ones, and knows the limits that clients were told.

// Denied is a reason of the admission table, as the ledger knows it.
type Denied uint8

// The reasons.
const (
	DeniedEmpty Denied = iota
	DeniedLong
	DeniedLimit
	DeniedToken
	DeniedTenant
	DeniedName
	DeniedFit
	DeniedQueue
	DeniedQuota
	DeniedWorker
)

// Turned tells the ledger that the submission of the client was turned away. nameLive is the client side's own knowledge
// of whether an earlier request of that name has not been told its end.
func (l *Ledger) Turned(index int32, a *Ask, why Denied, nameLive bool) {
	l.checks[Progress]++
	if !l.holds(a, why, nameLive) {
		l.breach(plain(Progress, index, "a request was turned away for a reason that does not hold"))
	}
}

func (l *Ledger) holds(a *Ask, why Denied, nameLive bool) bool {
	n, limit := int64(len(a.Prompt)), int64(l.cfg.MaxLen)
	known := a.Tenant >= 0 && int(a.Tenant) < len(l.tenants)
	switch why {
	case DeniedEmpty:
		return n == 0
	case DeniedLong:
		return n >= limit
	case DeniedLimit:
		return a.Max < 1
	case DeniedToken:
		return l.outside(a)
	case DeniedTenant:
		return !known
	case DeniedName:
		return nameLive
	case DeniedFit:
		positions := min(n+int64(a.Max), limit) - 1
		return positions > int64(l.cfg.Blocks)*int64(l.cfg.BlockTokens)
	case DeniedQueue:
		return l.queued >= l.cfg.MaxQueue
	case DeniedQuota:
		return known && l.cfg.Quotas[a.Tenant] > 0 && l.tenants[a.Tenant] >= l.cfg.Quotas[a.Tenant]
	case DeniedWorker:
		return l.cfg.NoWorker && l.foreign
	}
	return false
}

// hopeless tells whether a submission must be turned away for a reason of its own.
func (l *Ledger) hopeless(a *Ask) bool {
	for why := DeniedEmpty; why <= DeniedWorker; why++ {
		switch why {
		case DeniedName, DeniedQueue, DeniedQuota: // they pass
		default:
			if l.holds(a, why, false) {
				return true
			}
		}
	}
	return false
}

// checkHopeful checks a request that was accepted.
func (l *Ledger) checkHopeful(c *client) {
	l.checks[Progress]++
	if c.hopeless {
		l.breach(plain(Progress, c.index, "a request was accepted that can never be served"))
	}
}

// checkRefusal checks a request that ended because the worker refused it: the worker must have had a reason.
func (l *Ledger) checkRefusal(c *client, end End) {
	if end != EndRefused {
		return
	}
	l.checks[Progress]++
	if !l.cfg.Stricter && !c.injected {
		l.breach(plain(Progress, c.index, "a worker whose limits are the scheduler's has refused a request for good"))
	}
}

func (l *Ledger) outside(a *Ask) bool {
	for _, t := range a.Prompt {
		if t < 0 || int32(t) >= l.cfg.Vocab {
			return true
		}
	}
	return false
}

// Drained tells the ledger whether a drain came to its end within its bound.
func (l *Ledger) Drained(ok bool) {
	l.checks[Progress]++
	if !ok {
		l.breach(plain(Progress, l.stuck(), "a drain did not come to its end within its bound"))
	}
}

// stuck is a client that still waits, or -1.
func (l *Ledger) stuck() int32 {
	for i := range l.clients {
		if c := &l.clients[i]; c.slot >= 0 && !c.told {
			return c.index
		}
	}
	return -1
}
