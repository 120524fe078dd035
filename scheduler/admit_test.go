package scheduler_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"custody/scheduler/protocol"
)

// The engine: 4 blocks of 4 tokens, max_len 32, a queue of 2, a vocabulary of 1000, one live request a tenant for
// tenant 1. r7 of tenant 1 is live and waiting.
func TestARequestIsTurnedAwayForTheReasonOfTheTable(t *testing.T) {
	small := func(c *setting) { c.blocks, c.MaxQueue, c.Quotas = 4, 2, []int32{0, 1} }
	for _, c := range []struct {
		name   string
		change func(*protocol.Spec)
		why    protocol.Reason
	}{
		{"an ordinary request", func(s *protocol.Spec) {}, protocol.NoReason},
		{"no tokens", func(s *protocol.Spec) { s.Prompt = nil }, protocol.EmptyPrompt},
		{"max_len - 1 tokens in too small a pool", func(s *protocol.Spec) { *s = *spec(1, 31, 1) }, protocol.NeverFits},
		{"max_len tokens", func(s *protocol.Spec) { *s = *spec(1, 32, 1) }, protocol.TooLong},
		{"no output asked for", func(s *protocol.Spec) { s.Max = 0 }, protocol.BadLimit},
		{"the last token of the vocabulary", func(s *protocol.Spec) { s.Prompt[0] = 999 }, protocol.NoReason},
		{"a token behind the vocabulary", func(s *protocol.Spec) { s.Prompt[2] = 1000 }, protocol.BadToken},
		{"a negative token", func(s *protocol.Spec) { s.Prompt[2] = -1 }, protocol.BadToken},
		{"an unknown tenant", func(s *protocol.Spec) { s.Tenant = 2 }, protocol.UnknownTenant},
		{"a negative tenant", func(s *protocol.Spec) { s.Tenant = -1 }, protocol.UnknownTenant},
		{"17 tokens, of which 16 are computed, in 16 slots", func(s *protocol.Spec) { s.Max = 14 }, protocol.NoReason},
		{"18 tokens in 16 slots", func(s *protocol.Spec) { s.Max = 15 }, protocol.NeverFits},
		{"the most output that can be asked for", func(s *protocol.Spec) { s.Max = 1<<31 - 1 }, protocol.NeverFits},
		{"the name of a live request", func(s *protocol.Spec) { s.Name = 7 }, protocol.NameLive},
		{"a tenant whose quota is used up", func(s *protocol.Spec) { s.Tenant = 1 }, protocol.QuotaFull},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newFixture(t, small)
			other := spec(7, 3, 1)
			other.Tenant = 1
			r.submitSpec(other)
			s := spec(1, 3, 1)
			c.change(s)
			_, why := r.Submit(s)
			require.Equal(t, c.why, why, "%s", why)
			require.Empty(t, r.told())
			waiting, _ := r.Queues()
			require.Len(t, waiting, map[bool]int{true: 2, false: 1}[why == protocol.NoReason])
		})
	}
}

func TestTheQueueHoldsAsManyAsItMay(t *testing.T) {
	r := newFixture(t, func(c *setting) { c.MaxQueue, c.MaxRows = 2, 1 })
	r.submit(0, 3, 4)
	r.submit(1, 3, 4)
	_, why := r.Submit(spec(2, 3, 4))
	require.Equal(t, protocol.QueueFull, why)
	require.Equal(t, "+r0 0..3!", r.plan())
	r.submit(2, 3, 4)
}

func TestNothingIsAcceptedWithoutAWorker(t *testing.T) {
	r := newFixture(t, func(c *setting) { c.NoWorker = true })
	_, why := r.Submit(spec(0, 0, 0))
	require.Equal(t, protocol.NoWorker, why)
}

func TestAnEndedRequestGivesBackItsNameAndItsQuota(t *testing.T) {
	r := newFixture(t, func(c *setting) { c.Quotas = []int32{1} })
	q := r.submit(0, 3, 4)
	_, why := r.Submit(spec(1, 3, 4))
	require.Equal(t, protocol.QuotaFull, why)
	require.True(t, r.Cancel(q))
	require.Equal(t, "r0 cancelled", r.told())
	require.False(t, r.Cancel(q))
	require.Empty(t, r.told())
	r.submit(0, 3, 4)
}

// r0 has 5 tokens that are computed in chunks of 4. It needs 2 blocks, and 1 is free.
func TestAPromptIsAdmittedOnlyIfItFitsWhole(t *testing.T) {
	for _, c := range []struct {
		reserve bool
		plan    string
	}{{true, "nothing"}, {false, "+r0 0..4"}} {
		r := newFixture(t, func(c2 *setting) { c2.blocks, c2.Chunk, c2.Reserve = 2, 4, c.reserve })
		r.submit(1, 3, 4)
		require.Equal(t, "+r1 0..3!", r.plan())
		r.submit(0, 5, 2)
		require.Equal(t, c.plan, r.plan())
	}
}

func TestAHeadThatDoesNotFitStopsAdmission(t *testing.T) {
	r := newFixture(t, func(c *setting) { c.blocks = 3 })
	r.submit(0, 8, 1)
	require.Equal(t, "+r0 0..8!", r.plan())
	r.submit(1, 8, 1) // needs 2, and 1 is free
	r.submit(2, 3, 1) // would fit
	require.Equal(t, "nothing", r.plan())
	require.Equal(t, "r0=8, r0 length", r.settle(1))
	require.Equal(t, "-r0, +r1 0..8!, +r2 0..3!", r.plan())
}
