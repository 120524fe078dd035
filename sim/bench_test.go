package sim_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"
	"time"

	"custody/invariants"
	"custody/sim"
	"custody/sim/cover"
	"custody/sim/engine"
	"custody/traces"
)

// The benchmarks' profiles are frozen: a change of one is a new version with a new name, so that figures stay comparable.

// load is a closed loop: a fixed number of requests is live, and each that ends is followed by the next.
type load struct {
	name    string
	config  map[traces.Key]int64
	live    int   // requests live at once
	lo, hi  int32 // prompt length
	outputs int32 // most output tokens
}

// r1v1: 24 blocks of 4, 4 rows, prompts of 3 to 24.
var r1v1 = load{
	name: "R1v1", live: 4, lo: 3, hi: 24, outputs: 16,
	config: map[traces.Key]int64{traces.Blocks: 24, traces.Block: 4, traces.Rows: 4, traces.MaxLen: 40, traces.Loop: 1},
}

// r2v1: 256 blocks of 16, 8 rows, context of about 130.
var r2v1 = load{
	name: "R2v1", live: 9, lo: 100, hi: 130, outputs: 64,
	config: map[traces.Key]int64{
		traces.Blocks: 256, traces.Block: 16, traces.Rows: 8, traces.MaxLen: 192, traces.Loop: 1, traces.Budget: 256,
	},
}

// longv1: 2,048 blocks of 16, 8 rows, context of about 3,000.
var longv1 = load{
	name: "Longv1", live: 9, lo: 2700, hi: 3300, outputs: 512,
	config: map[traces.Key]int64{
		traces.Blocks: 2048, traces.Block: 16, traces.Rows: 8, traces.MaxLen: 3840, traces.Loop: 1, traces.Budget: 512,
	},
}

// driver feeds a world from a load.
type driver struct {
	world  *sim.World
	load   *load
	events []traces.Event
	next   int
}

func newDriver(l *load, m *sim.WorkerModel, bare bool, blocks int64) *driver {
	s := &traces.Script{Config: traces.DefaultConfig(), Tenants: []traces.Tenant{{Name: "amber"}, {Name: "teal"}}}
	for k, v := range l.config {
		s.Config[k] = v
	}
	if blocks > 0 {
		s.Config[traces.Blocks] = blocks
	}
	d := &driver{world: loaded(s, m, bare), load: l}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 64 {
		e := traces.Event{
			Verb: traces.Submit, Name: fmt.Sprintf("r%d", i), Tenant: s.Tenants[i%2].Name,
			Args: traces.Args{traces.Max: 1 + int64(rng.Int32N(l.outputs)), traces.EOS: -1},
		}
		for range l.lo + rng.Int32N(l.hi-l.lo+1) {
			e.Prompt = append(e.Prompt, rng.Int32N(4))
		}
		if i >= 8 && i%4 == 0 { // a prompt that came before: a hit
			e.Prompt = d.events[i-8].Prompt
		}
		d.events = append(d.events, e)
	}
	return d
}

// loaded is a world with everything on, or with nobody watching.
func loaded(s *traces.Script, m *sim.WorkerModel, bare bool) *sim.World {
	o := sim.ExecuteOptions{Model: m, Unwatched: bare}
	if !bare {
		o.Watch = []sim.Watcher{&cover.Recorder{}}
	}
	w, err := sim.NewWorld(s, o)
	if err != nil {
		panic(err)
	}
	return w
}

// step makes one step: a submission if there is room, else the derived event that is due.
func (d *driver) step() {
	waiting, running := d.world.Node().Engine.(engine.Looker).Queues()
	if len(waiting)+len(running) < d.load.live {
		sim.Apply(d.world, &d.events[d.next%len(d.events)])
		d.next++
		return
	}
	sim.RunNext(d.world)
}

func (d *driver) steps(n int) {
	for range n {
		d.step()
	}
}

func benchmarkSteps(b *testing.B, l *load, warm int) {
	d := newDriver(l, nil, false, 0)
	d.steps(warm)
	before := d.work()
	b.ReportAllocs()
	b.ResetTimer()
	d.steps(b.N)
	b.StopTimer()
	if d.world.Ledger().Broken() {
		b.Fatal(d.world.Ledger().Breaches())
	}
	report(b, before, d.work())
}

// work is what the world has done, with the slots that were read and checked.
func (d *driver) work() sim.Work {
	w := d.world.Work()
	w.Reads = d.world.Ledger().Checks(invariants.Content)
	return w
}

func report(b *testing.B, before, after sim.Work) {
	n := float64(after.Steps - before.Steps)
	b.ReportMetric(n/b.Elapsed().Seconds(), "steps/s")
	b.ReportMetric(float64(after.Reads-before.Reads)/b.Elapsed().Seconds(), "reads/s")
	b.ReportMetric(float64(after.Reads-before.Reads)/n, "reads/step")
	b.ReportMetric(float64(after.Passes-before.Passes)/n, "passes/step")
}

func BenchmarkStepsR1(b *testing.B)   { benchmarkSteps(b, &r1v1, 20000) }
func BenchmarkStepsR2(b *testing.B)   { benchmarkSteps(b, &r2v1, 20000) }
func BenchmarkStepsLong(b *testing.B) { benchmarkSteps(b, &longv1, 2000) }

// BenchmarkPromisesCost interleaves a watched and a bare run of the same load and reports the ratio of their times.
func BenchmarkPromisesCost(b *testing.B) {
	for _, l := range []*load{&r1v1, &r2v1} {
		b.Run(l.name, func(b *testing.B) {
			watched, bare := newDriver(l, nil, false, 0), newDriver(l, nil, true, 0)
			watched.steps(20000)
			bare.steps(20000)
			var with, without time.Duration
			b.ResetTimer()
			for n := 0; n < b.N; n += 500 {
				with += timed(watched, 500)
				without += timed(bare, 500)
			}
			b.ReportMetric(float64(with)/float64(without), "times-bare")
		})
	}
}

// BenchmarkTransformer interleaves R1v1 on the transformer with the same run bare, and with the same on the hash model. It
// reports the steps a second of the first, and the ratios of its time to theirs: what the promises cost on the
// transformer, and what the transformer costs.
func BenchmarkTransformer(b *testing.B) {
	m, err := sim.NewTransformer()
	if err != nil {
		b.Fatal(err)
	}
	drivers := []*driver{newDriver(&r1v1, m, false, 0), newDriver(&r1v1, m, true, 0), newDriver(&r1v1, nil, false, 0)}
	for _, d := range drivers {
		d.steps(1000)
	}
	var took [3]time.Duration
	steps := 0
	b.ResetTimer()
	for ; steps < b.N; steps += 100 {
		for i, d := range drivers {
			took[i] += timed(d, 100)
		}
	}
	if drivers[0].world.Ledger().Broken() {
		b.Fatal(drivers[0].world.Ledger().Breaches())
	}
	b.ReportMetric(float64(steps)/took[0].Seconds(), "steps/s")
	b.ReportMetric(float64(took[0])/float64(took[1]), "times-bare")
	b.ReportMetric(float64(took[0])/float64(took[2]), "times-hash")
}

func timed(d *driver, n int) time.Duration {
	start := time.Now()
	d.steps(n)
	return time.Since(start)
}

// BenchmarkPoolSize shows what the size of the pool costs a step. The block freed last is reused first, so that every
// size touches the same few blocks: what is measured is the code. Under the vLLM order a step goes through all blocks of
// the pool, and a large pool is also cold memory.
func BenchmarkPoolSize(b *testing.B) {
	for order, word := range traces.Keys[traces.Free].Names[:2] {
		for _, blocks := range []int64{100, 1000, 10000, 100000} {
			b.Run(fmt.Sprintf("%s/%d", word, blocks), func(b *testing.B) {
				l := r1v1
				l.config = maps.Clone(r1v1.config)
				l.config[traces.Free] = int64(order)
				d := newDriver(&l, nil, false, blocks)
				d.steps(20000)
				b.ResetTimer()
				d.steps(b.N)
			})
		}
	}
}

// BenchmarkExecution is one execution as the shrinker makes them: reset, 20 events, drain.
func BenchmarkExecution(b *testing.B) {
	s := &traces.Script{Config: traces.DefaultConfig(), Tenants: []traces.Tenant{{Name: "amber"}, {Name: "teal"}}}
	s.Config[traces.Blocks] = 12
	for i := range 10 {
		e := newDriver(&r1v1, nil, true, 0).events[i]
		e.Args[traces.Max] = 2
		s.Events = append(s.Events, e, traces.Event{Verb: traces.Run, Args: traces.Args{traces.Count: 2}})
	}
	s.Events = append(s.Events, traces.Event{Verb: traces.Drain})
	w := loaded(s, nil, false)
	b.ReportAllocs()
	for b.Loop() {
		w.Reset()
		w.Run()
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "executions/s")
	b.ReportMetric(float64(w.Work().Steps), "steps")
}
