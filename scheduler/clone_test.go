package scheduler_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"custody/cache"
	. "custody/scheduler"
)

// busy is an engine in the middle of things: one request waits, two run, two passes are outstanding, a message waits.
func busy(t *testing.T) *rig {
	r := newRig(t, overlap, func(c *setting) { c.MaxRows, c.pool.Prefix = 2, true })
	r.submit(0, 8, 5)
	r.submit(1, 5, 5)
	r.submit(2, 9, 5)
	r.submit(3, 2, 5)
	play(t, r, []line{
		{(*rig).plan, "+r0 0..8!, +r1 0..5!"},
		{(*rig).plan, "r0 8..9!, r1 5..6!"},
		{cancelling(3), "r3 cancelled"},
	})
	return r
}

// rest is how it goes on.
var rest = []line{
	{settling(1), "r0=8, r1=5"},
	{(*rig).plan, "r0 9..10!, r1 6..7!"},
	{settling(2), "r0=9, r1=6"},
	{settling(3), "r0=10, r1=7"},
	{(*rig).plan, "r0 10..11!, r1 7..8!"},
}

func TestAClonedSchedulerGoesOnLikeItsOriginal(t *testing.T) {
	a, b := busy(t), busy(t)
	b.Lost(1, cache.PassQueue) // what stood there before must not matter
	b.plan()
	a.Scheduler.CloneInto(b.Scheduler)
	a.pool.CloneInto(b.pool)
	b.plans, b.owner = map[cache.OpID][]PlanRow{}, a.owner
	for op, rows := range a.plans {
		b.plans[op] = rows
	}
	b.told()
	play(t, b, rest)
	play(t, a, rest)
	require.Equal(t, a.Stats(), b.Stats())
	require.Equal(t, a.queues(), b.queues())
}

func TestAResetSchedulerGoesOnLikeANewOne(t *testing.T) {
	r := busy(t)
	r.Reset()
	r.pool.Reset()
	require.Empty(t, r.told())
	require.Equal(t, Stats{}, r.Stats())
	require.Equal(t, "nothing", r.plan())
	r.submit(0, 3, 5)
	play(t, r, []line{{(*rig).plan, "+r0 0..3!"}, {settling(1), "r0=3"}})
}

func TestASchedulerAllocatesNothingOnceWarm(t *testing.T) {
	r, other := newRig(t, overlap), newRig(t, overlap)
	s := spec(0, 6, 3)
	var plan Plan
	res := Result{Rows: make([]RowResult, 1)}
	cycle := func() {
		r.Submit(s)
		for r.Plan(&plan) {
			if plan.Op != 0 {
				res.Op = plan.Op
				res.Rows[0] = RowResult{Req: plan.Rows[0].Req, Sampled: plan.Rows[0].Sample, Token: 1}
				r.Scheduler.CloneInto(other.Scheduler)
				r.Settle(&res)
			}
		}
		r.Outputs()
	}
	cycle()
	require.Zero(t, testing.AllocsPerRun(50, cycle))
}
