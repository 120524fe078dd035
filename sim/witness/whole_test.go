package witness_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/cache"
	"custody/scheduler/protocol"
	"custody/sim"
	"custody/sim/engine"
	"custody/sim/gen"
	"custody/sim/local"
)

// wordy is Custody's own engine, with plans as other engines make them: it sends each table whole, and calls a request
// resumed that has lost its blocks before.
type wordy struct {
	engine.Engine                           // of which the abilities are asked, too
	tables        map[int32][]cache.BlockID // by slot
	first         map[int32]uint32          // generation of the request's first life
}

func newWordy() engine.Engine { return &wordy{Engine: local.NewSilent()} }

func (w *wordy) Hello(s engine.Setup) (engine.Claims, error) {
	w.tables, w.first = map[int32][]cache.BlockID{}, map[int32]uint32{}
	return w.Engine.Hello(s)
}

func (w *wordy) Submit(now engine.Time, s *protocol.Spec) (cache.Req, protocol.Reason) {
	r, why := w.Engine.Submit(now, s)
	if why == protocol.NoReason {
		w.first[r.Slot] = r.Gen
	}
	return r, why
}

func (w *wordy) Plan(dst *protocol.Plan) bool {
	planned := w.Engine.Plan(dst)
	for i := range dst.Rows {
		r := &dst.Rows[i]
		slot := r.Req.Slot
		if r.New {
			w.tables[slot] = slices.Clone(r.Blocks)
			r.Resumed = r.Req.Gen != w.first[slot]
			r.New = !r.Resumed
			continue
		}
		w.tables[slot] = append(w.tables[slot], r.Blocks...)
		r.Blocks, r.Whole = slices.Clone(w.tables[slot]), true
	}
	return planned
}

// A table that is sent whole is the same table, and a resumed request is one that had to begin again.
func TestPlansThatSayMoreAreUnderstood(t *testing.T) {
	resumed := 0
	count := &watching{func(f *sim.Fact) {
		if f.Kind == sim.Issued {
			for _, r := range f.Plan.Rows {
				if r.Resumed {
					resumed++
				}
			}
		}
	}}
	for seed := uint64(1); seed <= 300; seed++ {
		o := sim.ExecuteOptions{Engine: newWordy, Watch: []sim.Watcher{count}}
		s, r, err := gen.Generate(seed, gen.Profiles[0], o)
		require.NoError(t, err)
		if !r.OK() {
			t.Fatalf("seed %d: %s: %s\n%s", seed, r.PromiseName(&r.Breaches[0]), r.Message(0), s)
		}
	}
	require.NotZero(t, resumed)
}

type watching struct{ saw func(*sim.Fact) }

func (*watching) Start(*sim.World)  {}
func (*watching) Begin(sim.Step)    {}
func (*watching) End(sim.Step)      {}
func (w *watching) Saw(f *sim.Fact) { w.saw(f) }
