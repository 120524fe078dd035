package scheduler_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"custody/cache"
	. "custody/scheduler"
	"custody/scheduler/protocol"
)

func refusing(op cache.OpID, name uint32, why protocol.Reason, final bool) func(*fixture) string {
	return func(r *fixture) string {
		return r.refuse(op, protocol.Refusal{Req: r.req(name), Why: why, Final: final})
	}
}

func cancelling(name uint32) func(*fixture) string {
	return func(r *fixture) string { r.Cancel(r.req(name)); return r.told() }
}

func losing(op cache.OpID, q cache.Queue) func(*fixture) string {
	return func(r *fixture) string { r.Lost(op, q); return r.told() }
}

func TestAFinalRefusalEndsARequest(t *testing.T) {
	r := newFixture(t)
	r.submit(0, 3, 4)
	r.submit(1, 3, 4)
	play(t, r, []line{
		{(*fixture).plan, "+r0 0..3!, +r1 0..3!"},
		{refusing(1, 0, protocol.RowTooLong, true), "r0 row-too-long"},
		{(*fixture).queues, "waiting, running r1"},
		{settling(1), "r1=3"},
		{(*fixture).plan, "r1 3..4!"}, // the worker has cleared r0's row itself: it is not named
	})
	require.True(t, r.vacant(0))
	require.Equal(t, int32(15), r.pool.Free())
}

func TestARefusedRequestMayTryAgainAsOftenAsConfigured(t *testing.T) {
	for _, c := range []struct {
		requeues int32
		why      protocol.Reason
		told     []string // after each refusal
	}{
		{0, protocol.Injected, []string{"r0 injected"}},
		{2, protocol.Injected, []string{"", "", "r0 injected"}},
		{1, protocol.PassTooBig, []string{"", "r0 pass-too-big"}},
		{0, protocol.Dependency, []string{"", "", "", ""}}, // no fault of its own
	} {
		r := newFixture(t, func(s *setting) { s.Requeues = c.requeues })
		r.submit(0, 3, 4)
		for i, told := range c.told {
			op := cache.OpID(i + 1)
			require.Equal(t, "+r0 0..3!", r.plan())
			require.Equal(t, told, refusing(op, 0, c.why, false)(r))
			require.Equal(t, "", r.settle(op))
		}
		require.Equal(t, int32(16), r.pool.Free())
	}
}

func TestRefusedRequestsWaitInTheOrderOfThePlan(t *testing.T) {
	r := newFixture(t)
	for name := range uint32(3) {
		r.submit(name, 3, 4)
	}
	require.Equal(t, "+r0 0..3!, +r1 0..3!, +r2 0..3!", r.plan())
	r.Refused(1, []protocol.Refusal{{Req: r.req(0), Why: protocol.Injected}, {Req: r.req(2), Why: protocol.Injected}})
	require.Equal(t, "waiting r0 r2, running r1", r.queues())
}

func TestARefusalOfAnEndedLifeChangesNothing(t *testing.T) {
	r := newFixture(t)
	life := r.submit(0, 3, 4)
	play(t, r, []line{
		{(*fixture).plan, "+r0 0..3!"},
		{cancelling(0), "r0 cancelled"},
		{func(r *fixture) string {
			return r.refuse(1, protocol.Refusal{Req: life, Why: protocol.Injected, Final: true})
		}, ""},
		{settling(1), ""},
	})
	require.True(t, r.vacant(0))
	require.Equal(t, int32(16), r.pool.Free())
}

func TestARefusedRowsEntriesAreWithdrawn(t *testing.T) {
	r := newFixture(t, func(c *setting) { c.Publish, c.pool.Prefix = PublishSchedule, true })
	r.submit(0, 9, 4)
	require.Equal(t, "+r0 0..9!", r.plan())
	require.Equal(t, int32(2), r.pool.Entries())
	require.Equal(t, "r0 injected", refusing(1, 0, protocol.Injected, true)(r))
	require.Equal(t, int32(0), r.pool.Entries())
}

func TestALostPassTakesTheLaterOnesWithIt(t *testing.T) {
	r := newFixture(t, overlap)
	r.submit(0, 3, 4)
	r.submit(1, 3, 4)
	play(t, r, []line{
		{(*fixture).plan, "+r0 0..3!, +r1 0..3!"},
		{(*fixture).plan, "r0 3..4!, r1 3..4!"},
		{losing(1, cache.PassQueue), ""},
		{(*fixture).queues, "waiting r0 r1, running"},
		{(*fixture).plan, "-r1, -r0, +r0 0..3!, +r1 0..3!"},
	})
	require.Equal(t, int32(1), r.Outstanding(cache.PassQueue))
}

func TestALostPassTakesItsEntriesBack(t *testing.T) {
	r := newFixture(t, func(c *setting) { c.Publish, c.pool.Prefix = PublishSchedule, true })
	r.submit(0, 9, 4)
	play(t, r, []line{{(*fixture).plan, "+r0 0..9!"}, {losing(1, cache.PassQueue), ""}})
	require.Equal(t, int32(0), r.pool.Entries())
	require.Equal(t, int32(16), r.pool.Free())
}

// Pass 1 was to sample the token for position 3 and is refused; pass 2 has computed with whatever stood there.
func TestATokenBehindAMissingOneIsNotTaken(t *testing.T) {
	r := newFixture(t, overlap)
	r.submit(0, 3, 4)
	play(t, r, []line{
		{(*fixture).plan, "+r0 0..3!"},
		{(*fixture).plan, "r0 3..4!"},
		{refusing(1, 0, protocol.Injected, false), ""},
		{settling(1), ""},
		{settling(2), ""},
		{(*fixture).plan, "+r0 0..3!"},
	})
}

func TestALostPassLeavesTheEarlierOnesResult(t *testing.T) {
	r := newFixture(t, overlap)
	r.submit(0, 3, 4)
	play(t, r, []line{
		{(*fixture).plan, "+r0 0..3!"},
		{(*fixture).plan, "r0 3..4!"},
		{losing(2, cache.PassQueue), ""},
		{settling(1), "r0=3"},
		{(*fixture).plan, "-r0, +r0 0..4!"},
	})
}

func TestALostPassSparesWhomItDidNotCarry(t *testing.T) {
	r := newFixture(t)
	r.submit(0, 3, 4)
	require.Equal(t, "+r0 0..3!", r.plan())
	r.submit(1, 3, 4)
	play(t, r, []line{
		{(*fixture).plan, "+r1 0..3!"},
		{losing(2, cache.PassQueue), ""},
		{(*fixture).queues, "waiting r1, running r0"},
		{settling(1), "r0=3"},
	})
}

func TestAResetIsRefusedWhileSomethingIsHeld(t *testing.T) {
	r := newFixture(t, func(c *setting) { c.pool.Prefix = true })
	r.submit(0, 5, 1)
	require.Equal(t, "+r0 0..5!", r.plan())
	require.False(t, r.ResetPrefix(false))
	require.Equal(t, "r0=5, r0 length", r.settle(1))
	require.Equal(t, int32(1), r.pool.Entries())
	require.True(t, r.ResetPrefix(false))
	require.Equal(t, int32(0), r.pool.Entries())
}

// r0 has an entry, then a reset is forced while pass 2 is outstanding: nobody is admitted until pass 2 has settled,
// and then nothing is found.
func TestAForcedResetHappensBeforeAnybodyIsAdmitted(t *testing.T) {
	r := newFixture(t, func(c *setting) { c.pool.Prefix = true })
	r.submit(0, 5, 4)
	play(t, r, []line{
		{(*fixture).plan, "+r0 0..5!"},
		{settling(1), "r0=5"},
		{(*fixture).plan, "r0 5..6!"},
	})
	require.True(t, r.ResetPrefix(true))
	require.Equal(t, int32(1), r.pool.Entries())
	play(t, r, []line{
		{(*fixture).queues, "waiting r0, running"},
		{(*fixture).plan, "-r0"},
		{settling(2), "r0=6"},
		{(*fixture).plan, "+r0 0..7!"},
	})
	require.Equal(t, int32(0), r.pool.Entries())
}

// copies is an engine that has computed an 8-token prompt in the blocks 0 and 1, and another request for it.
func copies(t *testing.T) *fixture {
	r := newFixture(t, func(c *setting) { c.TailCopy, c.pool.Prefix = true, true })
	r.submit(0, 8, 1)
	play(t, r, []line{{(*fixture).plan, "+r0 0..8!"}, {settling(1), "r0=8, r0 length"}})
	again := spec(0, 8, 2)
	again.Name = 1
	r.submitSpec(again)
	return r
}

func TestAPromptThatIsFoundWholeIsCopiedButForItsLastPosition(t *testing.T) {
	r := copies(t)
	require.Equal(t, "-r1, copy r1 1>2", r.plan()) // r1 has the slot that r0 had
	require.Equal(t, Loading, r.state(1))
	require.Equal(t, []cache.BlockID{0, 2, 1}, r.table(1))
	require.Equal(t, "nothing", r.plan())
	require.Equal(t, "", r.settle(2))
	require.Equal(t, Loaded, r.state(1))
	require.Equal(t, []cache.BlockID{0, 2}, r.table(1))
	play(t, r, []line{{(*fixture).plan, "+r1 7..8!"}, {settling(3), "r1=8"}})
	require.Equal(t, []cache.BlockID{0, 2}, r.table(1))
}

func TestARequestThatLeavesDuringItsCopyKeepsItsBlocksUntilTheCopyIsMade(t *testing.T) {
	r := copies(t)
	r.plan()
	play(t, r, []line{{cancelling(1), "r1 cancelled"}})
	require.Equal(t, int32(13), r.pool.Free())
	require.False(t, r.vacant(0))
	require.Equal(t, "", r.settle(2))
	require.Equal(t, int32(16), r.pool.Free())
	require.True(t, r.vacant(0))
	require.Equal(t, "nothing", r.plan()) // it had no row
}

func TestNoMoreCopiesAreOutstandingThanRows(t *testing.T) {
	r := copies(t)
	for name := range uint32(3) {
		again := spec(0, 8, 2)
		again.Name = 2 + name
		r.submitSpec(again)
	}
	play(t, r, []line{
		{(*fixture).plan, "-r1, copy r1 1>2"},
		{(*fixture).plan, "copy r2 1>3"},
		{(*fixture).plan, "copy r3 1>4"},
		{(*fixture).plan, "+r4 4..8!"},
	})
}

// r2 holds a block until pass 2 has settled; r1's prompt is still to be found, but not for long.
func TestNothingIsCopiedBeforeAForcedReset(t *testing.T) {
	r := newFixture(t, func(c *setting) { c.TailCopy, c.pool.Prefix = true, true })
	r.submit(0, 8, 1)
	play(t, r, []line{{(*fixture).plan, "+r0 0..8!"}, {settling(1), "r0=8, r0 length"}})
	r.submit(2, 3, 4)
	require.Equal(t, "-r2, +r2 0..3!", r.plan()) // r2 has the slot that r0 had
	require.True(t, r.ResetPrefix(true))
	play(t, r, []line{{cancelling(2), "r2 cancelled"}})
	again := spec(0, 8, 2)
	again.Name = 1
	r.submitSpec(again)
	play(t, r, []line{
		{(*fixture).plan, "-r2"},
		{settling(2), ""},
		{(*fixture).plan, "+r1 0..8!"},
	})
}

func TestALostCopyIsMadeAgain(t *testing.T) {
	r := copies(t)
	r.plan()
	play(t, r, []line{
		{losing(2, cache.CopyQueue), ""},
		{(*fixture).queues, "waiting r1, running"},
		{(*fixture).plan, "copy r1 1>2"},
	})
}

func TestAFailedAdmissionLeavesTheRequestWaiting(t *testing.T) {
	r := newFixture(t)
	r.submit(0, 8, 2)
	r.failing[r.req(0)] = 1
	require.Equal(t, "nothing", r.plan())
	require.True(t, r.Retry())
	require.Equal(t, "waiting r0, running", r.queues())
	require.Equal(t, "+r0 0..8!", r.plan())
	require.False(t, r.Retry())
}

func TestAResultForAnOperationThatIsNotOutstandingIsAMistakeOfTheWorker(t *testing.T) {
	r := newFixture(t)
	require.PanicsWithValue(t, "scheduler: a result for an operation that is not outstanding", func() { r.settle(9) })
}
