package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"custody/cache"
	"custody/scheduler/protocol"
	"custody/sim"
	"custody/sim/engine"
	"custody/sim/gen"
	"custody/sim/local"
	"custody/traces"
)

// modest is Custody's own engine, with claims of its own.
type modest struct {
	*local.Engine
	claim  func(*engine.Claims)
	denied int
}

func (m *modest) Hello(s engine.Setup) (engine.Claims, error) {
	c, err := m.Engine.Hello(s)
	m.claim(&c)
	return c, err
}

func (m *modest) Submit(now engine.Time, s *protocol.Spec) (cache.Req, protocol.Reason) {
	r, why := m.Engine.Submit(now, s)
	if why != protocol.NoReason {
		m.denied++
	}
	return r, why
}

func claiming(claim func(*engine.Claims)) sim.ExecuteOptions {
	return sim.ExecuteOptions{Engine: func() engine.Engine { return &modest{Engine: &local.Engine{}, claim: claim} }}
}

// bystander is a watcher that looks whether an engine could hear what it is told.
type bystander struct {
	world *sim.World
	heard func(*sim.World, *sim.Fact)
}

func (l *bystander) Start(w *sim.World) { l.world = w }
func (l *bystander) Begin(sim.Step)     {}
func (l *bystander) End(sim.Step)       {}
func (l *bystander) Saw(f *sim.Fact)    { l.heard(l.world, f) }

// A line that is not heard waits, and the world goes on meanwhile; the script that comes out of it says the same again.
func TestADeafEngineIsToldNothingWhileItsPassesAreOutstanding(t *testing.T) {
	o := claiming(func(c *engine.Claims) { c.Deaf = true })
	told, cancelled := 0, 0
	o.Watch = []sim.Watcher{&bystander{heard: func(w *sim.World, f *sim.Fact) {
		busy := w.Outstanding(cache.PassQueue) >= w.Node().Claims.Depth
		switch f.Kind {
		case sim.Submitted, sim.Resetting, sim.Exempting:
			require.False(t, busy)
			told++
		case sim.Cancelling:
			if busy {
				cancelled++
			}
		}
	}}}
	for seed := uint64(1); seed <= 200; seed++ {
		s, r, err := gen.Generate(seed, gen.Profiles[0], o)
		require.NoError(t, err)
		require.True(t, r.OK(), "seed %d", seed)
		again, err := sim.Execute(s, o)
		require.NoError(t, err)
		require.Equal(t, r.Digest, again.Digest)
		require.Equal(t, r.Noop, again.Noop)
	}
	require.NotZero(t, told)
	require.NotZero(t, cancelled, "a cancellation is heard at any time")
}

// What an engine claims not to refuse itself, the world refuses in its place.
func TestTheWorldIsTheFrontEndOfAnEngineThatRefusesNothing(t *testing.T) {
	mine := &modest{Engine: &local.Engine{}, claim: func(c *engine.Claims) { c.Door = []protocol.Reason{} }}
	var seen [protocol.NumReasons]int
	o := sim.ExecuteOptions{Engine: func() engine.Engine { return mine }, Watch: []sim.Watcher{
		&bystander{heard: func(_ *sim.World, f *sim.Fact) {
			if f.Kind == sim.Rejected {
				seen[f.Why]++
			}
		}},
	}}
	for _, p := range gen.Profiles {
		for seed := uint64(1); seed <= 200; seed++ {
			_, r, err := gen.Generate(seed, p, o)
			require.NoError(t, err)
			require.True(t, r.OK(), "%s, seed %d", p.Name, seed)
		}
	}
	require.Zero(t, mine.denied, "the engine had nothing left to refuse")
	for _, d := range protocol.Denials {
		if d.By == "admission" {
			require.NotZero(t, seen[d.Why], d.Name)
		}
	}
}

// A verb that means nothing to the engine is drawn by nobody, and does nothing in a script.
func TestAVerbThatMeansNothingToTheEngineIsANoOp(t *testing.T) {
	o := claiming(func(c *engine.Claims) { c.Can, c.Queues = nil, 1 })
	s, err := traces.Parse("x.trace", `
submit r1 tenant=amber prompt="hello" max=4
preempt r1
fail pass r1
fail alloc r1 block=0
refuse r1
reset force
drain
`)
	require.NoError(t, err)
	r, err := sim.Execute(s, o)
	require.NoError(t, err)
	require.Equal(t, []bool{false, true, true, true, true, true, false}, r.Noop)
	for seed := uint64(1); seed <= 50; seed++ {
		s, _, err := gen.Generate(seed, gen.Profiles[0], o)
		require.NoError(t, err)
		for _, e := range s.Events {
			require.NotContains(t, []traces.Verb{
				traces.Preempt, traces.Refuse, traces.Reset, traces.FailAlloc, traces.FailPass, traces.FailCopy, traces.Stall,
			}, e.Verb)
		}
		require.Empty(t, sim.Runnable("x", s))
	}
}

func TestAScriptSaysWhichEngineItIsFor(t *testing.T) {
	o := claiming(func(c *engine.Claims) { c.Name, c.Settings = "mine", []string{"batch", "greedy"} })
	for header, want := range map[string]string{
		"":                                 "",
		"engine mine":                      "",
		"engine mine batch=2 greedy=yes":   "",
		"engine yours":                     "engine yours: not known here (known: mine)",
		"engine mine batsh=2":              "engine mine: takes no setting batsh (known: batch, greedy)",
		"worker w1 max_len=9\nengine mine": "",
	} {
		s, err := traces.Parse("x.trace", header+"\nsubmit r1 tenant=amber prompt=1\ndrain\n")
		require.NoError(t, err)
		if _, err = sim.Execute(s, o); want == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, want)
		}
	}
	s, _, err := gen.Generate(1, gen.Profiles[0], o)
	require.NoError(t, err)
	require.Equal(t, "mine", s.Engine.Name)
	_, err = sim.Execute(s, sim.ExecuteOptions{})
	require.EqualError(t, err, "engine mine: not known here (known: local)")
}

// An engine that forgets to claim what the world counts by is told so before anything runs.
func TestAnEngineClaimsAtLeastOneOfWhatThereMustBe(t *testing.T) {
	s, err := traces.Parse("x.trace", "submit r1 tenant=amber prompt=1\ndrain\n")
	require.NoError(t, err)
	for _, claim := range []func(*engine.Claims){
		func(c *engine.Claims) { c.Slots = 0 }, func(c *engine.Claims) { c.Depth = 0 },
		func(c *engine.Claims) { c.Queues = 0 }, func(c *engine.Claims) { c.Queues = 3 },
	} {
		_, err = sim.Execute(s, claiming(claim))
		require.ErrorContains(t, err, "at least 1 of each, and at the most 2 queues")
	}
}

// fragile is an engine without the ability to lose anything.
type fragile struct{ engine.Engine }

// loser is a worker that loses everything.
type loser struct{ engine.Worker }

func (l loser) Finish(op cache.OpID, _ *protocol.Result) bool {
	l.Drop(op)
	return false
}

func TestALossThatTheEngineCannotSurviveIsTold(t *testing.T) {
	s, err := traces.Parse("x.trace", "submit r1 tenant=amber prompt=1\ndrain\n")
	require.NoError(t, err)
	r, err := sim.Execute(s, sim.ExecuteOptions{
		Engine: func() engine.Engine { return fragile{local.New()} },
		Worker: func(s engine.WorkerSetup) engine.Worker { return loser{local.NewWorker(s)} },
	})
	require.NoError(t, err)
	require.Len(t, r.Breaches, 1)
	require.Contains(t, r.Breaches[0].Detail, "the worker loses an operation of an engine that survives no loss")
}

func TestAnEngineThatTakesNoRefusalsGetsNoWorkerThatCouldRefuse(t *testing.T) {
	o := claiming(func(c *engine.Claims) { c.Can = nil })
	s, err := traces.Parse("x.trace", "worker w1 max_len=9\nsubmit r1 tenant=amber prompt=1\ndrain\n")
	require.NoError(t, err)
	_, err = sim.Execute(s, o)
	require.ErrorIs(t, err, engine.ErrRefusing)
	for seed := uint64(1); seed <= 100; seed++ {
		p, _ := gen.FindProfile("mismatch")
		_, r, err := gen.Generate(seed, p, o)
		require.NoError(t, err)
		require.True(t, r.OK())
	}
}
