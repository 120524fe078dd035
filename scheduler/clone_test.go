package scheduler_test

import (
	"fmt"
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	. "custody/scheduler"
	"custody/scheduler/protocol"
)

// busy is an engine in the middle of things: r2 waits, r0 and r1 run, two passes are outstanding, and a message waits.
func busy(t *testing.T) *fixture {
	r := newFixture(t, overlap, func(c *setting) { c.MaxRows, c.pool.Prefix = 2, true })
	r.submit(0, 8, 5)
	r.submit(1, 5, 5)
	r.submit(2, 9, 5)
	r.submit(3, 2, 5)
	play(t, r, []line{
		{(*fixture).plan, "+r0 0..8!, +r1 0..5!"},
		{(*fixture).plan, "r0 8..9!, r1 5..6!"},
	})
	r.Cancel(r.req(3))
	return r
}

// counts is how far the first requests are settled.
func counts(r *fixture) string {
	_, _, r0 := r.Progress(0)
	_, _, r1 := r.Progress(1)
	return fmt.Sprint(r0, " ", r1)
}

// rest is how it goes on.
var rest = []line{
	{(*fixture).told, "r3 cancelled"},
	{settling(1), "r0=8, r1=5"},
	{counts, "8 5"},
	{(*fixture).plan, "r0 9..10!, r1 6..7!"},
	{settling(2), "r0=9, r1=6"},
	{counts, "9 6"},
	{settling(3), "r0=10, r1=7"},
	{cancelling(1), "r1 cancelled"},
	{(*fixture).plan, "-r1, r0 10..11!, +r2 0..9!"},
	{func(r *fixture) string { return fmt.Sprint(r.last.Rows[1].Tokens[8].Token) }, "208"},
}

func TestAClonedSchedulerGoesOnLikeItsOriginal(t *testing.T) {
	a, b := busy(t), newFixture(t, overlap, func(c *setting) { c.MaxRows, c.pool.Prefix = 2, true })
	b.submit(8, 9, 9) // what stood there before must not matter
	b.submit(9, 9, 9)
	b.plan()
	a.Scheduler.CloneInto(b.Scheduler)
	a.pool.CloneInto(b.pool)
	b.owner, b.plans = a.owner, maps.Clone(a.plans)
	play(t, b, rest)
	b.Preempt(b.req(0)) // goes to the front of a queue that the original must not share
	play(t, a, rest)
	require.Equal(t, a.Stats(), b.Stats())
}

func TestAResetSchedulerGoesOnLikeANewOne(t *testing.T) {
	r := busy(t)
	r.Reset()
	r.pool.Reset()
	clear(r.plans)
	require.Empty(t, r.told())
	require.Equal(t, Stats{}, r.Stats())
	require.Equal(t, "nothing", r.plan())
	r.submit(0, 3, 5)
	play(t, r, []line{{(*fixture).plan, "+r0 0..3!"}, {settling(1), "r0=3"}})
}

func TestASchedulerAllocatesNothingOnceWarm(t *testing.T) {
	r, other := newFixture(t, overlap), newFixture(t, overlap)
	s := spec(0, 6, 3)
	var plan protocol.Plan
	var res protocol.Result
	cycle := func() {
		r.Submit(s)
		for r.Plan(&plan) {
			if plan.Op != 0 {
				res.Reset(plan.Op)
				res.Add(plan.Rows[0].Req, sampled(&plan.Rows[0]))
				r.Scheduler.CloneInto(other.Scheduler)
				r.Settle(&res)
			}
		}
		r.Outputs()
	}
	cycle()
	require.Zero(t, testing.AllocsPerRun(50, cycle))
}
