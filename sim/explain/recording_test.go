package explain

import (
	"testing"

	"github.com/stretchr/testify/require"

	"custody/cache"
	"custody/invariants"
	"custody/scheduler/protocol"
	"custody/sim"
	"custody/sim/engine"
	"custody/sim/gen"
	"custody/sim/local"
	"custody/traces"
)

// Whatever was looked at before, a step looks the same: walking forwards, walking backwards and jumping, with many copies
// of the world, with so few that they are thinned out, and with none.
func TestAStepLooksTheSameFromBothSides(t *testing.T) {
	for seed := uint64(1); seed <= 6; seed++ {
		s, run, err := gen.Generate(seed, gen.Profiles[0], sim.ExecuteOptions{})
		require.NoError(t, err)
		r := recorded(t, s, -1)
		require.Equal(t, run.Digest, r.Result.Digest, "seed %d: recording changes the run", seed)
		require.Equal(t, run.Work.Steps, r.Last)
		var forward []*Frame
		for n := range r.Last + 1 {
			forward = append(forward, look(t, r, n))
			require.Equal(t, n, forward[n].Step)
		}
		require.Equal(t, run.Digest, r.walker.world.Result().Digest, "seed %d: the walker at the end", seed)
		for _, most := range []int{maxCopies, 3, 0} {
			r := recorded(t, s, most)
			require.LessOrEqual(t, len(r.copies.list), most)
			for n := r.Last; n >= 0; n -= 1 + n%3 {
				require.Equal(t, forward[n], look(t, r, n), "seed %d, %d copies, step %d", seed, most, n)
			}
		}
	}
}

func TestALookBackGoesOnFromTheNearestCopy(t *testing.T) {
	s := parsed(t, "submit r1 tenant=amber prompt=\"a\" max=30\ndrain\n")
	r := recorded(t, s, 4)
	require.Equal(t, int64(94), r.Last) // submit and drain, 30 times plan, finish and settle, clear and drained
	var steps []int64
	for _, c := range r.copies.list {
		steps = append(steps, c.Step().Number)
	}
	require.Equal(t, []int64{32, 64, 80}, steps, "those of 16 and 48 made room")
	look(t, r, r.Last)
	r.start(80)
	require.Equal(t, int64(64), r.walker.world.Step().Number)
	require.Equal(t, r.copies.list[1].Result().Digest, r.walker.world.Result().Digest)
}

// recorded is a recording with so many copies at the most; below 0 as many as there is room for.
func recorded(t *testing.T, s *traces.Script, most int) *Recording {
	t.Helper()
	r, err := record(s, sim.ExecuteOptions{}, most)
	require.NoError(t, err)
	return r
}

func look(t *testing.T, r *Recording, step int64) *Frame {
	t.Helper()
	f, err := r.At(step)
	require.NoError(t, err)
	return f
}

func parsed(t *testing.T, text string) *traces.Script {
	t.Helper()
	s, err := traces.Parse("test", text)
	require.NoError(t, err)
	return s
}

// A prompt of nine tokens in chunks of at most four; testdata/life-of-a-request.trace tells the same run in words. After
// step 7 the second chunk is computed and has not settled.
func TestAFrameShowsWhatEverythingHolds(t *testing.T) {
	r := recorded(t, parsed(t, "config blocks=4 block=4 chunk=4\nsubmit r1 tenant=amber prompt=\"nine toks\" max=3\ndrain\n"), -1)
	r1 := sim.Party{Name: "r1", Tenant: "amber", Life: 1}
	f := look(t, r, 7)
	require.Equal(t, "finish", f.Kind)
	require.Equal(t, 1, f.Line)
	require.Equal(t, sim.Time(25), f.Time)
	require.Equal(t, []string{"finish op2: r1 computes"}, f.Notes)
	require.Equal(t, []RequestFrame{{
		Party: r1, State: "prefill", Prompt: 9, Planned: 8, Settled: 4, Valid: 8, Table: []cache.BlockID{0, 1}, Live: true,
	}}, f.Requests)
	require.Equal(t, BlockFrame{
		Held: true, Holders: []sim.Party{r1}, Findable: true, Publisher: r1,
		Spans: []Span{{Lo: 0, Hi: 4, State: invariants.SlotWritten, Writer: r1}},
	}, f.Blocks[0], "its chunk has settled")
	require.False(t, f.Blocks[1].Findable, "its chunk has not settled")
	require.Equal(t, []Span{{Lo: 0, Hi: 4, State: invariants.SlotUnwritten}}, f.Blocks[2].Spans)
	require.Equal(t, []cache.BlockID{2, 3}, f.Free)
	require.Equal(t, RowFrame{Bound: true, Party: r1, Computed: 8, Table: []cache.BlockID{0, 1}}, f.Rows[0])
	require.Equal(t, []OperationFrame{{Op: 2, Queue: "pass", Rows: []sim.Party{r1}, Due: 25, Finished: true}}, f.Operations)
	require.Equal(t, []Touch{{1, "writes [0,4)", r1}, {0, "reads [0,4)", r1}, {1, "reads [0,4)", r1}}, f.Touches)
	require.Equal(t, []sim.Party{r1}, f.Running)
	require.Empty(t, f.Waiting)

	end := look(t, r, r.Last)
	require.Equal(t, "ended", end.Requests[0].State)
	require.Equal(t, int32(3), end.Requests[0].Delivered)
	require.Equal(t, []Span{{Lo: 0, Hi: 4, State: invariants.SlotPoisoned}}, end.Blocks[2].Spans, "not full: nobody can find it")
	require.True(t, end.Blocks[1].Findable)
	require.False(t, end.Blocks[1].Held)

	start := look(t, r, 0)
	require.Equal(t, -1, start.Line)
	require.Empty(t, start.Kind)
	require.Empty(t, start.Requests)
	require.Len(t, start.Free, 4)
}

// A preempted request writes as a second life; its first one's block has gone to it again.
func TestAFrameTellsLivesApart(t *testing.T) {
	r := recorded(t, parsed(t, "config blocks=2 block=4 cache=off link=5\nsubmit r1 tenant=amber prompt=\"four\" max=2\n"+
		"preempt r1 when issued=1\ndrain\n"), -1)
	preempted := 0
	for n := range r.Last {
		f := look(t, r, n)
		if f.Kind != "preempt" {
			continue
		}
		preempted++
		require.Equal(t, []sim.Party{{Name: "r1", Tenant: "amber", Life: 2}}, f.Waiting)
		require.Equal(t, "preempted", f.Requests[0].State)
		require.Equal(t, "r1/2", f.Requests[0].String())
		require.Equal(t, BlockFrame{Held: true, Leaving: 1, Spans: []Span{{0, 4, invariants.SlotUnwritten, sim.Party{}, false}}},
			f.Blocks[0])
		require.Equal(t, []sim.Party{{Name: "r1", Tenant: "amber", Life: 1}}, f.Operations[0].Rows)
	}
	require.Equal(t, 1, preempted)
	mail, writer := 0, sim.Party{}
	for n := range r.Last {
		f := look(t, r, n)
		mail = max(mail, len(f.Mail))
		if w := f.Blocks[0].Spans[0].Writer; w.Known() {
			writer = w
		}
	}
	require.NotZero(t, mail)
	require.Equal(t, "r1", writer.Name)
}

func TestAStepOutsideOfTheRunIsRefused(t *testing.T) {
	r := recorded(t, parsed(t, "submit r1 tenant=amber prompt=\"a\"\ndrain\n"), -1)
	_, err := r.At(r.Last + 1)
	require.EqualError(t, err, "there is no step 8: the last step is 7")
	_, err = r.At(-1)
	require.ErrorContains(t, err, "the last step is 7")
}

func TestAScriptWithoutEventsHasOneFrame(t *testing.T) {
	r := recorded(t, &traces.Script{Config: traces.DefaultConfig()}, -1)
	require.Zero(t, r.Last)
	require.Len(t, look(t, r, 0).Free, int(traces.DefaultConfig()[traces.Blocks]))
}

// fragile is an engine that breaks at its second plan.
type fragile struct {
	*local.Engine
	plans int
}

func (f *fragile) Hello(s engine.Setup) (engine.Claims, error) {
	f.plans = 0
	return f.Engine.Hello(s)
}

func (f *fragile) Plan(dst *protocol.Plan) bool {
	if f.plans++; f.plans > 1 {
		panic("fragile")
	}
	return f.Engine.Plan(dst)
}

func (f *fragile) CloneInto(dst engine.Engine) {
	f.Engine.CloneInto(dst.(*fragile).Engine)
	dst.(*fragile).plans = f.plans
}

// The crash is the last step, and what it has left can be looked at from both sides.
func TestACrashIsTheLastStepThatCanBeLookedAt(t *testing.T) {
	s := parsed(t, "submit r1 tenant=amber prompt=\"a\" max=9\nsubmit r2 tenant=teal prompt=\"b\"\ndrain\n")
	r, err := record(s, sim.ExecuteOptions{Engine: func() engine.Engine { return &fragile{Engine: &local.Engine{}} }}, maxCopies)
	require.NoError(t, err)
	require.Equal(t, "alive", r.Result.PromiseName(&r.Result.Breaches[0]))
	crash := look(t, r, r.Last)
	require.Equal(t, "plan", crash.Kind)
	require.Equal(t, []string{"alive"}, []string{crash.Breaches[0].Promise})
	require.Equal(t, "prefill", crash.Requests[1].State, "the first plan has admitted both")
	before := look(t, r, r.Last-1)
	require.Empty(t, before.Breaches)
	require.Equal(t, crash, look(t, r, r.Last))
	require.Equal(t, before, look(t, r, r.Last-1))
}

// A write of one layer only: the last layer is shown, and that the layers differ.
func TestAFrameSaysWhereTheLayersDiffer(t *testing.T) {
	r := recorded(t, parsed(t, "config blocks=4 block=4 chunk=4\nsubmit r1 tenant=amber prompt=\"nine toks\" max=3\ndrain\n"), -1)
	look(t, r, 7)
	w := r.walker.world
	w.Ledger().Touch(cache.Write, 2, w.Roster().Client(0).Req, 0, cache.Run{Table: []cache.BlockID{0, 1, 2}, Lo: 8, Hi: 9})
	require.Equal(t, []Span{
		{Lo: 0, Hi: 1, State: invariants.SlotUnwritten, Torn: true}, {Lo: 1, Hi: 4, State: invariants.SlotUnwritten},
	}, frame(w, r.script).Blocks[2].Spans)
}
