package invariants

import "custody/scheduler/protocol"

// Progress promises: a request that fits an empty engine ends normally, or by its own cancellation, within
// its bound; one that does not is refused at admission.
//
// Observes: requests turned away at the door, and whether a drain comes to its end within its bound.
//
// Decides: a request may be turned away only for a reason whose condition the ledger itself sees to hold: it keeps its
// own count of waiting requests and of each tenant's live ones, and knows the limits that clients were told.
//
// Says: the client that was turned away, let in, refused, or still waits.
const Progress ID = 20

// EndedAfterRestart is reached when a request that had lost its blocks on the way ended normally.
const EndedAfterRestart Mark = Mark(Progress) << markBits

var progressStatement = Statement{
	ID: Progress, Name: "progress", Unit: "requests turned away and drains",
	Sentence: "a request that fits an empty engine ends normally, or by its own cancellation, within its bound; one " +
		"that does not is refused at admission",
	Marks: []MarkStatement{
		{Mark: EndedAfterRestart, Name: "ended-after-a-restart",
			Sentence: "a request that had lost its blocks on the way ended normally"},
	},
}

// checkRejected checks a submission that was turned away.
func checkRejected(l *Ledger, client int32, s *Submission, why protocol.Reason, nameLive bool) {
	l.checks[Progress]++
	if !reasonHolds(l, s, why, nameLive) {
		l.breach(plain(Progress, client, "a request was turned away for a reason that does not hold"))
	}
}

func reasonHolds(l *Ledger, s *Submission, why protocol.Reason, nameLive bool) bool {
	n, limit := int64(len(s.Prompt)), int64(l.cfg.Bounds.MaxLen)
	switch why {
	case protocol.EmptyPrompt:
		return n == 0
	case protocol.TooLong:
		return n >= limit
	case protocol.BadLimit:
		return s.Max < 1
	case protocol.BadToken:
		return beyondVocab(l, s)
	case protocol.UnknownTenant:
		return !l.door.knows(s.Tenant)
	case protocol.NameLive:
		return nameLive
	case protocol.NeverFits:
		positions := min(n+int64(s.Max), limit) - 1
		return positions > int64(l.memory.blocks-l.cfg.Claims.NullBlocks)*int64(l.memory.size)
	case protocol.QueueFull:
		return l.door.full(&l.cfg.Bounds)
	case protocol.QuotaFull:
		return l.door.usedUp(&l.cfg.Bounds, s.Tenant)
	case protocol.NoWorker:
		return l.cfg.Parties.NoWorker && l.foreign
	}
	return false
}

// hopeless tells whether a submission must be turned away for a reason of its own.
func hopeless(l *Ledger, s *Submission) bool {
	for why := protocol.EmptyPrompt; why <= protocol.NoWorker; why++ {
		switch why {
		case protocol.NameLive, protocol.QueueFull, protocol.QuotaFull: // they pass
		default:
			if reasonHolds(l, s, why, false) {
				return true
			}
		}
	}
	return false
}

// checkHopeful checks a request that was accepted.
func checkHopeful(l *Ledger, a *account) {
	l.checks[Progress]++
	if a.conduct.hopeless {
		l.breach(plain(Progress, a.client, "a request was accepted that can never be served"))
	}
}

// checkRefusal checks a request that ended because the worker refused it: the worker must have had a reason.
func checkRefusal(l *Ledger, a *account, end End) {
	if end != EndRefused {
		return
	}
	l.checks[Progress]++
	if !l.cfg.Parties.Stricter && !a.conduct.injected {
		l.breach(plain(Progress, a.client, "a worker whose limits are the scheduler's has refused a request for good"))
	}
}

func beyondVocab(l *Ledger, s *Submission) bool {
	for _, t := range s.Prompt {
		if t < 0 || int32(t) >= l.cfg.Bounds.Vocab {
			return true
		}
	}
	return false
}

func checkDrainEnded(l *Ledger, ok bool) {
	l.checks[Progress]++
	if !ok {
		l.breach(plain(Progress, firstWaiting(l), "a drain did not come to its end within its bound"))
	}
}

// firstWaiting is a client that still waits, or -1.
func firstWaiting(l *Ledger) int32 {
	for i := range l.accounts.list {
		if a := &l.accounts.list[i]; a.waits() {
			return a.client
		}
	}
	return -1
}
