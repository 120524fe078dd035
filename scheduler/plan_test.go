package scheduler_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"custody/cache"
	. "custody/scheduler"
	"custody/scheduler/protocol"
)

func overlap(c *setting)  { c.Overlap = true }
func priority(c *setting) { c.Policy = Priority }

// line is one line of a scenario.
type line struct {
	do   func(r *fixture) string
	want string
}

func play(t *testing.T, r *fixture, lines []line) {
	t.Helper()
	for i, x := range lines {
		require.Equal(t, x.want, x.do(r), "line %d", i)
	}
}

func settling(op cache.OpID) func(*fixture) string {
	return func(r *fixture) string { return r.settle(op) }
}

func TestAPromptIsComputedInChunksWithinTheBudget(t *testing.T) {
	r := newFixture(t, func(c *setting) { c.Budget, c.Chunk = 8, 5 })
	r.submit(0, 11, 2)
	r.submit(1, 7, 2)
	play(t, r, []line{
		{(*fixture).plan, "+r0 0..5, +r1 0..3"},
		{settling(1), ""},
		{(*fixture).plan, "r0 5..10, r1 3..6"},
		{settling(2), ""},
		{(*fixture).plan, "r0 10..11!, r1 6..7!"},
		{settling(3), "r0=11, r1=7"},
		{(*fixture).plan, "r0 11..12!, r1 7..8!"},
		{settling(4), "r0=12, r0 length, r1=8, r1 length"},
		{(*fixture).plan, "-r0, -r1"},
		{(*fixture).plan, "nothing"},
	})
}

func TestChunksOfOnePromptMayBeOutstandingTogether(t *testing.T) {
	r := newFixture(t, func(c *setting) { c.Chunk = 4 })
	r.submit(0, 9, 1)
	play(t, r, []line{
		{(*fixture).plan, "+r0 0..4"},
		{(*fixture).plan, "r0 4..8"},
		{(*fixture).plan, "nothing"}, // depth 2
		{settling(1), ""},
		{(*fixture).plan, "r0 8..9!"},
	})
	_, planned, settled := r.Progress(0)
	require.Equal(t, []int32{9, 4}, []int32{planned, settled})
}

func TestWithoutOverlapARequestWaitsForItsToken(t *testing.T) {
	r := newFixture(t)
	r.submit(0, 3, 3)
	play(t, r, []line{
		{(*fixture).plan, "+r0 0..3!"},
		{(*fixture).plan, "nothing"},
		{settling(1), "r0=3"},
		{(*fixture).plan, "r0 3..4!"},
		{settling(2), "r0=4"},
		{(*fixture).plan, "r0 4..5!"},
		{settling(3), "r0=5, r0 length"},
	})
}

func TestWithOverlapATokenIsNamedBeforeItIsKnown(t *testing.T) {
	r := newFixture(t, overlap)
	r.submit(0, 3, 3)
	require.Equal(t, "+r0 0..3!", r.plan())
	require.Equal(t, []protocol.TokenRef{{Token: 0}, {Token: 1}, {Token: 2}}, r.last.Rows[0].Tokens)
	require.Equal(t, "r0 3..4!", r.plan())
	require.Equal(t, []protocol.TokenRef{{Op: 1}}, r.last.Rows[0].Tokens)
	play(t, r, []line{
		{settling(1), "r0=3"},
		{(*fixture).plan, "r0 4..5!"},
		{(*fixture).plan, "nothing"},
		{settling(2), "r0=4"},
		{(*fixture).plan, "nothing"}, // the outstanding pass samples the last token
		{settling(3), "r0=5, r0 length"},
	})
}

func TestABatchIsFullWhenItsRowsAre(t *testing.T) {
	r := newFixture(t, func(c *setting) { c.MaxRows = 2 })
	for name := range uint32(3) {
		r.submit(name, 3, 2)
	}
	play(t, r, []line{
		{(*fixture).plan, "+r0 0..3!, +r1 0..3!"},
		{(*fixture).queues, "waiting r2, running r0 r1"},
		{(*fixture).plan, "nothing"},
		{settling(1), "r0=3, r1=3"},
		{func(r *fixture) string { r.Cancel(r.req(0)); return r.told() }, "r0 cancelled"},
		{(*fixture).plan, "-r0, r1 3..4!, +r2 0..3!"},
	})
}

func TestTheTokenThatEndsARequestIsDeliveredAndEndsIt(t *testing.T) {
	r := newFixture(t)
	s := spec(0, 3, 9)
	s.EOS = 4
	r.submitSpec(s)
	play(t, r, []line{
		{(*fixture).plan, "+r0 0..3!"},
		{settling(1), "r0=3"},
		{(*fixture).plan, "r0 3..4!"},
		{settling(2), "r0=4, r0 stop"},
	})
	require.Equal(t, int32(16), r.pool.Free())
}

func TestAResultForAnEndedLifeChangesNothing(t *testing.T) {
	r := newFixture(t)
	r.submit(0, 3, 9)
	play(t, r, []line{
		{(*fixture).plan, "+r0 0..3!"},
		{func(r *fixture) string { r.Cancel(r.req(0)); return r.told() }, "r0 cancelled"},
	})
	require.Equal(t, int32(15), r.pool.Free(), "the pass may still write")
	require.False(t, r.vacant(0), "the pass still names the slot")
	require.Equal(t, "", r.settle(1))
	require.Equal(t, int32(16), r.pool.Free())
	require.True(t, r.vacant(0))
}

// Four blocks: r0 and r1 have two each. r0 needs a third, and the newest gives way.
func TestTheNewestGivesWayUnderFCFS(t *testing.T) {
	r := newFixture(t, func(c *setting) { c.blocks = 4 })
	r.submit(0, 8, 3)
	r.submit(1, 7, 3)
	play(t, r, []line{
		{(*fixture).plan, "+r0 0..8!, +r1 0..7!"},
		{settling(1), "r0=8, r1=7"},
		{(*fixture).plan, "-r1, r0 8..9!"},
		{(*fixture).queues, "waiting r1, running r0"},
		{settling(2), "r0=9"},
		{(*fixture).plan, "r0 9..10!"}, // r1 needs two blocks, and one is free
		{settling(3), "r0=10, r0 length"},
		{(*fixture).plan, "-r0, +r1 0..8!"}, // all of it again, its token too
	})
}

func TestTheLeastUrgentGivesWayUnderPriority(t *testing.T) {
	for _, c := range []struct {
		name string
		prio [3]int32
		plan string
	}{
		{"the highest number, then r2 for itself", [3]int32{1, 9, 2}, "-r1, -r2, r0 4..5!"},
		{"of equals the one that came last, then r1 for itself", [3]int32{1, 1, 1}, "-r2, -r1, r0 4..5!"},
		{"r0 for itself, which ends the plan", [3]int32{9, 1, 2}, "-r0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newFixture(t, priority, func(s *setting) { s.blocks = 3 })
			for name := range uint32(3) {
				s := spec(name, 4, 3)
				s.Priority = c.prio[name]
				r.submitSpec(s)
				if name == 0 {
					require.Equal(t, "+r0 0..4!", r.plan())
				}
			}
			r.plan()
			r.settle(1)
			r.settle(2) // now each needs a second block, r0 first
			require.Equal(t, c.plan, r.plan())
		})
	}
}

func TestTheMostUrgentIsAdmittedFirstAndThenWhoCameFirst(t *testing.T) {
	for _, c := range []struct {
		policy Policy
		want   string
	}{
		{FCFS, "waiting r0 r1 r2 r3, running"},
		{Priority, "waiting r2 r1 r3 r0, running"},
	} {
		r := newFixture(t, func(s *setting) { s.Policy = c.policy })
		for name, prio := range []int32{7, 3, -1, 3} {
			s := spec(uint32(name), 3, 1)
			s.Priority = prio
			r.submitSpec(s)
		}
		require.Equal(t, c.want, r.queues())
	}
}

func TestAPreemptedRequestWaitsInFrontOrWhereItsPriorityPutsIt(t *testing.T) {
	for _, c := range []struct {
		policy Policy
		want   string
	}{
		{FCFS, "waiting r0 r1 r2, running"},
		{Priority, "waiting r1 r0 r2, running"},
	} {
		r := newFixture(t, func(s *setting) { s.Policy, s.MaxRows = c.policy, 1 })
		for name, prio := range []int32{3, 1, 5} {
			if name == 1 {
				require.Equal(t, "+r0 0..3!", r.plan())
			}
			s := spec(uint32(name), 3, 1)
			s.Priority = prio
			r.submitSpec(s)
		}
		require.True(t, r.Preempt(r.req(0)))
		require.False(t, r.Preempt(r.req(0)), "it holds nothing")
		require.Equal(t, c.want, r.queues())
	}
}

func TestAPreemptedRequestKeepsTheTokenThatIsOnItsWay(t *testing.T) {
	r := newFixture(t)
	r.submit(0, 3, 3)
	play(t, r, []line{
		{(*fixture).plan, "+r0 0..3!"},
		{func(r *fixture) string { r.Preempt(r.req(0)); return r.told() }, ""},
		{settling(1), "r0=3"},
		{(*fixture).plan, "-r0, +r0 0..4!"},
		{settling(2), "r0=4"},
		{func(r *fixture) string { return r.queues() }, "waiting, running r0"},
	})
}

func TestATokenOnItsWayMayEndAPreemptedRequest(t *testing.T) {
	r := newFixture(t)
	r.submit(0, 3, 1)
	play(t, r, []line{
		{(*fixture).plan, "+r0 0..3!"},
		{func(r *fixture) string { r.Preempt(r.req(0)); return r.told() }, ""},
		{settling(1), "r0=3, r0 length"},
		{(*fixture).queues, "waiting, running"},
	})
	require.Equal(t, int32(16), r.pool.Free())
}

// Both blocks are taken. r1 has been cancelled, and its block comes back with pass 2; r0 needs it now.
func TestNobodyIsPreemptedForBlocksOnTheirWayBack(t *testing.T) {
	r := newFixture(t, overlap, func(c *setting) { c.blocks = 2 })
	r.submit(0, 3, 4)
	r.submit(1, 2, 4)
	play(t, r, []line{
		{(*fixture).plan, "+r0 0..3!, +r1 0..2!"},
		{(*fixture).plan, "r0 3..4!, r1 2..3!"},
		{settling(1), "r0=3, r1=2"},
		{func(r *fixture) string { r.Cancel(r.req(1)); return r.told() }, "r1 cancelled"},
		{(*fixture).plan, "-r1"},
		{(*fixture).queues, "waiting, running r0"},
		{settling(2), "r0=4"},
		{(*fixture).plan, "r0 4..5!"},
	})
}

// r0 needs two blocks. One is free and one on its way; r2 must not be given the free one.
func TestNobodyIsAdmittedIntoBlocksThatAnotherWaitsFor(t *testing.T) {
	r := newFixture(t, func(c *setting) { c.blocks, c.Chunk = 4, 8 })
	r.submit(0, 16, 1)
	r.submit(1, 2, 4)
	play(t, r, []line{
		{(*fixture).plan, "+r0 0..8, +r1 0..2!"},
		{func(r *fixture) string { r.Cancel(r.req(1)); r.submit(2, 1, 1); return r.told() }, "r1 cancelled"},
		{(*fixture).plan, "-r1"},
		{settling(1), ""},
		{(*fixture).plan, "r0 8..16!"},
		{settling(2), "r0=16, r0 length"},
		{(*fixture).plan, "-r0, +r2 0..1!"},
	})
}

// Both of the first two blocks change hands: r0 waits for that of r1, r2 goes on in the one that it has, r3 is given none.
func TestWhoNeedsNoBlockGoesOnWhileOthersWaitForOne(t *testing.T) {
	r := newFixture(t, overlap, func(c *setting) { c.blocks = 3 })
	r.submit(0, 3, 4)
	r.submit(1, 2, 4)
	r.submit(2, 1, 9)
	play(t, r, []line{
		{(*fixture).plan, "+r0 0..3!, +r1 0..2!, +r2 0..1!"},
		{(*fixture).plan, "r0 3..4!, r1 2..3!, r2 1..2!"},
		{settling(1), "r0=3, r1=2, r2=1"},
		{func(r *fixture) string { r.Cancel(r.req(1)); r.submit(3, 1, 1); return r.told() }, "r1 cancelled"},
		{(*fixture).plan, "-r1, r2 2..3!"},
		{settling(2), "r0=4, r2=2"},
		{(*fixture).plan, "r0 4..5!, r2 3..4!"},
	})
}

// outbid is an engine in which r0, the less urgent, runs before r1, which is about to need a block.
func outbid(r *fixture, r0, r1 int32) {
	for name, prompt := range []int32{r0, r1} {
		s := spec(uint32(name), prompt, 3)
		s.Priority = []int32{5, 1}[name]
		r.submitSpec(s)
		r.plan()
	}
}

// The budget is 2: r0 has taken one token of it when r1 finds no block, and r2 gets the one that r0 gives back.
func TestARowTakenBackGivesItsTokensToTheBudget(t *testing.T) {
	r := newFixture(t, priority, func(c *setting) { c.blocks, c.Budget, c.Depth = 3, 2, 4 })
	outbid(r, 1, 4)
	require.Equal(t, "r1 2..4!", r.plan())
	r.submit(2, 1, 3)
	play(t, r, []line{
		{(*fixture).plan, "+r2 0..1!"},
		{settling(1), "r0=1"},
		{settling(2), ""},
		{settling(3), "r1=4"},
		{settling(4), "r2=1"},
		{(*fixture).plan, "-r0, r1 4..5!, r2 1..2!"},
		{(*fixture).queues, "waiting r0, running r1 r2"},
	})
}

// r0 has published its third block for the plan that is being made; then r1 finds no block.
func TestARowTakenBackTakesItsEntriesBack(t *testing.T) {
	r := newFixture(t, priority, overlap, func(c *setting) {
		c.blocks, c.Chunk, c.Depth, c.Publish, c.pool.Prefix = 4, 4, 3, PublishSchedule, true
	})
	outbid(r, 12, 4)
	require.Equal(t, int32(3), r.pool.Entries())
	require.Equal(t, "-r0", r.plan())
	require.Equal(t, int32(3), r.pool.Entries())
}

// r0 needs two blocks: one is free, and one comes back with pass 1. r2 runs too and needs the free one.
func TestWhoWaitsForBlocksIsNotRobbedByWhoRuns(t *testing.T) {
	r := newFixture(t, func(c *setting) { c.blocks, c.Chunk = 6, 8 })
	r.submit(0, 16, 1)
	r.submit(1, 2, 4)
	r.submit(2, 12, 1)
	play(t, r, []line{
		{(*fixture).plan, "+r0 0..8, +r1 0..2!, +r2 0..6"},
		{cancelling(1), "r1 cancelled"},
		{(*fixture).plan, "-r1"},
		{settling(1), ""},
		{(*fixture).plan, "-r2, r0 8..16!"},
	})
}

func TestASharedPrefixIsNotComputedAgain(t *testing.T) {
	for _, c := range []struct {
		publish PublishPolicy
		early   string // the second request in the same plan
		late    string // the third, after the pass has settled
	}{
		{PublishSettled, "+r0 0..6!, +r1 0..6!", "r0 6..7!, r1 6..7!, +r2 4..6!"},
		{PublishSchedule, "+r0 0..6!, +r1 4..6!", "r0 6..7!, r1 6..7!, +r2 4..6!"},
	} {
		r := newFixture(t, func(s *setting) { s.Publish, s.pool.Prefix = c.publish, true })
		same := func(name uint32) {
			s := spec(0, 6, 3)
			s.Name = name
			r.submitSpec(s)
		}
		same(0)
		same(1)
		require.Equal(t, c.early, r.plan())
		same(2)
		r.settle(1)
		require.Equal(t, c.late, r.plan())
	}
}
