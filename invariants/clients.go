package invariants

import (
	"custody/cache"
	"custody/scheduler/protocol"
)

// What clients say and hear.

// Submission is what a client asks for.
type Submission struct {
	Tenant   int32
	ID       cache.Identity
	Prompt   []cache.Token
	Max      int32 // output tokens
	EOS      cache.Token
	Priority int32 // lower is sooner
	Sampling cache.Sampling
}

// End is how a request ended, as its client heard it.
type End uint8

// The ends.
const (
	EndStop End = iota
	EndLength
	EndCancelled
	EndRefused // by the worker
)

// Submitted tells the ledger what a client asks for, before the engine hears of it. Client numbers may be used again
// when the end of the earlier request has been told.
func (l *Ledger) Submitted(client int32, s *Submission) {
	a := l.accounts.open(client, s)
	markSubmitted(l, a)
	a.conduct.hopeless = hopeless(l, s)
	l.door.offered = client
	if l.guests.any() {
		l.guests.dispatch(l, Observation{Kind: SawSubmitted, A: int64(client)})
	}
}

// Rejected tells the ledger that the submission of the client was turned away. nameLive is the client side's own knowledge
// of whether an earlier request of that name has not been told its end.
func (l *Ledger) Rejected(client int32, s *Submission, why protocol.Reason, nameLive bool) {
	checkRejected(l, client, s, why, nameLive)
}

// Cancelled tells the ledger that a client has cancelled.
func (l *Ledger) Cancelled(client int32) { l.accounts.list[client].conduct.cancelled = true }

// Injected tells the ledger that the script makes the worker refuse the client's request.
func (l *Ledger) Injected(client int32) { l.accounts.list[client].conduct.injected = true }

// Delivered tells the ledger that a token has reached a client.
func (l *Ledger) Delivered(client int32, t cache.Token) {
	a := &l.accounts.list[client]
	checkDelivered(l, a, t)
	l.accounts.hear(a, a.submitted+a.delivered, t)
	a.delivered++
	a.conduct.stopped = t == a.eos
	if l.guests.any() {
		l.guests.dispatch(l, Observation{Kind: SawDelivered, A: int64(client), B: int64(t)})
	}
}

// Ended tells the ledger that a client has heard of its request's end.
func (l *Ledger) Ended(client int32, end End) {
	a := &l.accounts.list[client]
	checkTold(l, a, end)
	checkAlone(l, a)
	checkMarkers(l, a)
	a.conduct.told = true
	if l.guests.any() {
		l.guests.dispatch(l, Observation{Kind: SawEnded, A: int64(client), B: int64(end)})
	}
}
