package sim_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"custody/cache"
	"custody/invariants"
	"custody/scheduler/protocol"
	"custody/sim"
	"custody/traces"
)

// A single stale block is mostly invisible in the text (docs/training.md). `content` and `tenant` see every one of them.
// `solo` sees every one on the hash model, whose tokens hang on every slot, and on the transformer those that change a
// token, no more and no less.
func TestEverySingleStaleBlockIsSeen(t *testing.T) {
	m, err := sim.NewTransformer()
	require.NoError(t, err)
	for name, model := range map[string]*sim.WorkerModel{"hash": nil, "transformer": m} {
		t.Run(name, func(t *testing.T) {
			trials, changed := 0, 0
			for _, size := range []int{4, 8, 16} {
				clean, _ := staleTrial(t, model, size, -1)
				for i := range staleTokens/size - 1 {
					told, r := staleTrial(t, model, size, i)
					trials++
					require.True(t, breaks(r, invariants.Content), "block %d of %d", i, size)
					require.True(t, breaks(r, invariants.Tenant), "block %d of %d", i, size)
					different := !slices.Equal(clean, told)
					require.Equal(t, different, breaks(r, invariants.Solo), "block %d of %d", i, size)
					if different {
						changed++
					}
				}
			}
			require.Equal(t, 96/4+96/8+96/16-3, trials)
			if model == nil {
				require.Equal(t, trials, changed)
			} else {
				require.Less(t, changed, trials, "some leave no trace in the text")
			}
		})
	}
}

// staleTokens is the length of both prompts, a multiple of every block size.
const staleTokens = 96

// staleTrial lets amber and teal be prefilled side by side. Then teal's i-th block is overwritten by amber's (none if i is
// negative), and teal is answered. It returns what teal was told.
func staleTrial(t *testing.T, m *sim.WorkerModel, block, i int) ([]cache.Token, *sim.Result) {
	t.Helper()
	const amber = "The code is QZKTWB. The city of Anna is Oslo. The number of Hugo is 462. Q: What is the code?  \nA:"
	const teal = "The code is MARVLY. The city of Emil is Rome. The number of Ida is 915. Q: What is the code?   \nA:"
	text := fmt.Sprintf("config block=%d budget=256 max_len=200\nsubmit r1 tenant=amber prompt=%q max=20\n"+
		"submit r2 tenant=teal prompt=%q max=20\nrun 3\n",
		block, "a"+amber[len(amber)-staleTokens+1:], "t"+teal[len(teal)-staleTokens+1:]) // no block of one is the other's
	s, err := traces.Parse("stale", text)
	require.NoError(t, err)
	heard := &listener{of: 1}
	w := newWorld(t, s, sim.ExecuteOptions{Model: m, Watch: []sim.Watcher{heard}})
	r := w.Run()
	require.True(t, r.OK(), r.Breaches)
	if i >= 0 {
		from := w.Ledger().Look().Table(w.Roster().Client(0).Req.Slot, nil)
		to := w.Ledger().Look().Table(w.Roster().Client(1).Req.Slot, nil)
		sim.Memory(w).Copy(0, cache.Copy{From: from[i], To: to[i]})
	}
	w.Append(traces.Event{Verb: traces.Drain})
	return heard.tokens, w.Result()
}

// listener hears what one submission's client is told.
type listener struct {
	world  *sim.World
	of     int // index of the submit event
	tokens []cache.Token
}

func (l *listener) Start(w *sim.World) { l.world = w }
func (l *listener) Begin(sim.Step)     {}
func (l *listener) End(sim.Step)       {}
func (l *listener) Saw(f *sim.Fact) {
	if f.Kind == sim.Delivered && f.Why == protocol.NoReason && l.world.Roster().Client(f.Client).Event == l.of {
		l.tokens = append(l.tokens, f.Token)
	}
}

func breaks(r *sim.Result, id invariants.ID) bool {
	return slices.ContainsFunc(r.Breaches, func(b invariants.Breach) bool { return b.Promise == id })
}
