package invariants

import (
	"testing"

	"github.com/stretchr/testify/require"

	"custody/cache"
)

// queueing is a ledger with room for a few requests, told of nothing but their lives.
type queueing struct{ *Ledger }

func newQueueing(p QueueOrder, rows, queue int32, quotas ...int32) queueing {
	return queueing{NewLedger(Config{
		Shape:  Shape{Blocks: 4, BlockTokens: 4, Layers: 1, Slots: 6, Rows: 6},
		Bounds: Bounds{MaxLen: 8, MaxQueue: queue, Vocab: 8, Budget: 8, MaxRows: rows, Quotas: quotas},
		Claims: Claims{Order: p},
	}, nil)}
}

// submit lets clients in, in the order of their slots, with these priorities.
func (q queueing) submit(prios ...int32) {
	for i, p := range prios {
		q.Submitted(int32(i), &Submission{Prompt: []cache.Token{1}, Max: 1, Priority: p})
		q.Life(cache.Req{Slot: int32(i)}, cache.Accepted, cache.NoCause)
	}
}

func (q queueing) admit(slots ...int32) {
	for _, s := range slots {
		q.Life(q.now(s), cache.Running, cache.NoCause)
	}
}

func (q queueing) preempt(slot int32) { q.Life(q.now(slot), cache.LostBlocks, cache.ByPreempt) }

func (q queueing) readmit(slot int32) { q.Life(q.now(slot), cache.Running, cache.NoCause) }

func (q queueing) now(slot int32) cache.Req {
	return cache.Req{Slot: slot, Gen: q.lives.present[slot].gen}
}

func TestOvertakingAndTheWrongVictimBreakOrder(t *testing.T) {
	for name, c := range map[string]struct {
		policy QueueOrder
		run    func(q queueing)
		want   string
	}{
		"in order": {FirstCome, func(q queueing) { q.submit(0, 0, 0); q.admit(0, 1, 2) }, ""},
		"overtaking": {FirstCome, func(q queueing) { q.submit(0, 0, 0); q.admit(1) },
			"a request was admitted before one that stood in front of it"},
		"whoever lost its blocks stands in front": {FirstCome, func(q queueing) {
			q.submit(0, 0, 0)
			q.admit(0, 1)
			q.preempt(1)
			q.readmit(1)
			q.admit(2)
		}, ""},
		"and is not overtaken": {FirstCome, func(q queueing) {
			q.submit(0, 0, 0)
			q.admit(0, 1)
			q.preempt(1)
			q.admit(2)
		}, "a request was admitted before one that stood in front of it"},
		"the oldest gives way": {FirstCome, func(q queueing) { q.submit(0, 0); q.admit(0, 1); q.preempt(0) },
			"a request was preempted although another had to give way first"},
		"by somebody's wish": {FirstCome, func(q queueing) {
			q.submit(0, 0)
			q.admit(0, 1)
			q.ExemptVictims()
			q.preempt(0)
		}, ""},
		"by priority, then arrival": {ByPriority, func(q queueing) { q.submit(2, 1, 1); q.admit(1, 2, 0) }, ""},
		"against priority": {ByPriority, func(q queueing) { q.submit(2, 1, 1); q.admit(0) },
			"a request was admitted before one that stood in front of it"},
		"the last by priority gives way": {ByPriority, func(q queueing) { q.submit(2, 1, 1); q.admit(1, 2, 0); q.preempt(0) }, ""},
		"a better one gives way": {ByPriority, func(q queueing) { q.submit(2, 1, 1); q.admit(1, 2, 0); q.preempt(2) },
			"a request was preempted although another had to give way first"},
		"where none is promised": {AnyOrder, func(q queueing) { q.submit(0, 0); q.admit(1, 0); q.preempt(1) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			q := newQueueing(c.policy, 3, 6, 0)
			c.run(q)
			requireOnly(t, q.Ledger, Order, c.want)
		})
	}
}

func TestMoreThanTheLimitsAllowBreaksLimits(t *testing.T) {
	plan := func(q queueing, hi ...int32) {
		q.submit(0, 0)
		q.admit(0, 1)
		q.Op(cache.Issued, 1, cache.PassQueue)
		for i, h := range hi {
			q.Planned(1, q.now(int32(i)), cache.Run{Table: []cache.BlockID{0, 1, 2}[:min(h/4+1, 3)], Hi: h})
		}
	}
	for name, c := range map[string]struct {
		rows, queue, quota int32
		run                func(q queueing)
		want               string
	}{
		"within": {3, 3, 3, func(q queueing) { q.submit(0, 0, 0); q.admit(0, 1, 2) }, ""},
		"rows":   {2, 3, 3, func(q queueing) { q.submit(0, 0, 0); q.admit(0, 1, 2) }, "more requests run than there are rows"},
		"queue":  {3, 2, 3, func(q queueing) { q.submit(0, 0, 0) }, "a request was accepted although the queue was full"},
		"quota": {3, 3, 2, func(q queueing) { q.submit(0, 0, 0) },
			"a request was accepted although its tenant's quota was used up"},
		"the budget": {3, 3, 3, func(q queueing) { plan(q, 4, 4) }, ""},
		"tokens":     {3, 3, 3, func(q queueing) { plan(q, 4, 5) }, "a pass was issued with more tokens than the budget"},
	} {
		t.Run(name, func(t *testing.T) {
			q := newQueueing(FirstCome, c.rows, c.queue, c.quota)
			c.run(q)
			requireOnly(t, q.Ledger, Limits, c.want)
		})
	}
}

// requireOnly wants one breach of the promise with these words, or none.
func requireOnly(t *testing.T, l *Ledger, id ID, detail string) {
	t.Helper()
	if detail == "" {
		require.Empty(t, l.Breaches())
		return
	}
	require.Len(t, l.Breaches(), 1)
	require.Equal(t, id, l.Breaches()[0].Promise)
	require.Equal(t, detail, l.Breaches()[0].Detail)
}

// A worker whose limits are the scheduler's has no reason to refuse, unless the script gives it one.
func TestARefusalWithoutAReasonBreaksProgress(t *testing.T) {
	for name, c := range map[string]struct {
		stricter, injected bool
		want               string
	}{
		"a worker with a lower limit":        {true, false, ""},
		"a refusal that the script asks for": {false, true, ""},
		"neither": {false, false,
			"a worker whose limits are the scheduler's has refused a request for good"},
	} {
		t.Run(name, func(t *testing.T) {
			q := newQueueing(FirstCome, 3, 3, 0)
			q.cfg.Parties.Stricter = c.stricter
			q.submit(0)
			q.admit(0)
			if c.injected {
				q.Injected(0)
			}
			q.Life(q.now(0), cache.Ended, cache.ByRefusal)
			q.Ended(0, EndRefused)
			requireOnly(t, q.Ledger, Progress, c.want)
		})
	}
}

func TestAnAcceptanceThatCanNeverBeServedBreaksProgress(t *testing.T) {
	q := newQueueing(FirstCome, 3, 3, 0)
	q.Submitted(0, &Submission{Prompt: make([]cache.Token, 8), Max: 1}) // max_len is 8: no room for an output token
	q.Life(cache.Req{}, cache.Accepted, cache.NoCause)
	requireOnly(t, q.Ledger, Progress, "a request was accepted that can never be served")
}
