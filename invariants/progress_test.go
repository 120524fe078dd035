package invariants

import (
	"testing"

	"custody/cache"
	"custody/scheduler/protocol"
)

// A denial is one reason of the admission table, with a submission for which it holds, and one, as near as can be, for
// which it does not.
type denial struct {
	name    string
	why     protocol.Reason
	holds   func(d *fakeEngine) *Submission
	holdNot func(d *fakeEngine) *Submission
	config  func(c *Config) // for the case that holds; may be nil
	live    bool            // an earlier request of the name has not been told its end, in the case that holds
}

func prompt(n int) []cache.Token { return make([]cache.Token, n) }

func asking(prompt []cache.Token, maxTokens int32) func(*fakeEngine) *Submission {
	return func(*fakeEngine) *Submission {
		a := ask(amber, prompt...)
		a.Max = maxTokens
		return a
	}
}

func asTenant(tenant int32) func(*fakeEngine) *Submission {
	return func(*fakeEngine) *Submission { return ask(tenant, 1) }
}

// behind asks after so many requests of a tenant, to the last of which something has happened.
func behind(n, tenant int32, then func(d *fakeEngine, last *party)) func(d *fakeEngine) *Submission {
	return func(d *fakeEngine) *Submission {
		var last *party
		for i := range n {
			last = d.submit(i, tenant, 1)
		}
		then(d, last)
		return ask(tenant, 1)
	}
}

func asIs(*fakeEngine, *party) {}

func admitted(d *fakeEngine, p *party) { d.admit(p, 0) }

func preempted(d *fakeEngine, p *party) {
	d.admit(p, 0)
	d.preempt(p)
}

func gone(d *fakeEngine, p *party) { d.cancel(p) }

func noWorker(c *Config) { c.Parties.NoWorker, c.Parties.Layouts = true, [][]int64{{4}, {8}} }

func twoBlocks(c *Config) { c.Shape.Blocks = 2 } // four slots: room for five tokens, because the last one is never computed

var denials = []denial{
	{name: "an empty prompt", why: protocol.EmptyPrompt, holds: asking(nil, 1), holdNot: asking(prompt(1), 1)},
	{name: "a prompt that leaves no room for a token", why: protocol.TooLong,
		holds: asking(prompt(10), 1), holdNot: asking(prompt(9), 1)},
	{name: "no output token asked for", why: protocol.BadLimit,
		holds: asking(prompt(1), 0), holdNot: asking(prompt(1), 1)},
	{name: "a negative number of output tokens", why: protocol.BadLimit,
		holds: asking(prompt(1), -1), holdNot: asking(prompt(1), 1<<30)},
	{name: "a token beyond the vocabulary", why: protocol.BadToken,
		holds: asking([]cache.Token{1, 50}, 1), holdNot: asking([]cache.Token{1, 49}, 1)},
	{name: "a negative token", why: protocol.BadToken,
		holds: asking([]cache.Token{-1, 1}, 1), holdNot: asking([]cache.Token{0, 1}, 1)},
	{name: "a tenant behind the last", why: protocol.UnknownTenant, holds: asTenant(2), holdNot: asTenant(1)},
	{name: "a tenant before the first", why: protocol.UnknownTenant, holds: asTenant(-1), holdNot: asTenant(0)},
	{name: "a name that is live", why: protocol.NameLive, holds: asTenant(0), holdNot: asTenant(0), live: true},
	{name: "more than the pool holds", why: protocol.NeverFits,
		holds: asking(prompt(3), 3), holdNot: asking(prompt(3), 2), config: twoBlocks},
	{name: "more than the pool holds, bounded by the maximum length", why: protocol.NeverFits,
		config: func(c *Config) { c.Shape.Blocks = 4 },
		holds:  asking(prompt(3), 1<<30), holdNot: asking(prompt(3), 6)},
	{name: "a full queue", why: protocol.QueueFull, holds: behind(2, amber, asIs), holdNot: behind(2, amber, admitted)},
	{name: "a queue that a preempted request fills", why: protocol.QueueFull,
		holds: behind(2, amber, preempted), holdNot: behind(2, amber, gone)},
	{name: "a used up quota", why: protocol.QuotaFull,
		holds: behind(2, teal, admitted), holdNot: behind(1, teal, admitted)},
	{name: "a quota that a preempted request uses up", why: protocol.QuotaFull,
		holds: behind(2, teal, preempted), holdNot: behind(2, teal, gone)},
	{name: "a worker that was refused", why: protocol.NoWorker,
		holds: asTenant(0), holdNot: asTenant(0), config: noWorker},
}

// rejected lets a submission be rejected by an engine of its own.
func rejected(n *denial, config func(*Config), with func(d *fakeEngine) *Submission, live bool) *fakeEngine {
	cfg := fakeConfig()
	if config != nil {
		config(&cfg)
	}
	d := &fakeEngine{Ledger: NewLedger(cfg, nil)}
	a := with(d)
	d.Submitted(4, a)
	d.Rejected(4, a, n.why, live)
	return d
}

func TestARequestMayBeTurnedAwayForAReasonThatHolds(t *testing.T) {
	for i := range denials {
		n := &denials[i]
		t.Run(n.name, func(t *testing.T) { expect(t, rejected(n, n.config, n.holds, n.live).Ledger) })
	}
}

func TestARequestTurnedAwayForAReasonThatDoesNotHoldBreaksProgress(t *testing.T) {
	for i := range denials {
		n := &denials[i]
		config := n.config
		if n.why == protocol.NoWorker {
			config = nil
		}
		t.Run(n.name, func(t *testing.T) {
			expect(t, rejected(n, config, n.holdNot, false).Ledger, plainly(Progress, 4))
		})
	}
}

func TestAQuotaOfNoneIsNeverUsedUp(t *testing.T) {
	n := &denial{why: protocol.QuotaFull}
	expect(t, rejected(n, nil, behind(2, amber, asIs), false).Ledger, plainly(Progress, 4))
	expect(t, rejected(n, nil, asTenant(-1), false).Ledger, plainly(Progress, 4))
}

func TestAPoolThatHoldsTheLongestRequestHoldsEveryOther(t *testing.T) {
	n := &denial{why: protocol.NeverFits}
	expect(t, rejected(n, nil, asking(prompt(3), 1<<30), false).Ledger, plainly(Progress, 4))
}

func TestAReasonThatTheTableDoesNotHaveBreaksProgress(t *testing.T) {
	n := &denial{why: protocol.RowTooLong}
	expect(t, rejected(n, nil, asTenant(0), false).Ledger, plainly(Progress, 4))
}

func TestARequestThatIsTurnedAwayLeavesNothingBehind(t *testing.T) {
	d := rejected(&denials[0], nil, denials[0].holds, false)
	d.AtRest()
	expect(t, d.Ledger)
}
