package sim

import (
	"fmt"
	"math/rand/v2"

	"custody/scheduler"
	"custody/traces"
)

// The generator draws a configuration and then event by event, looking at the world that the events lead to ("cancel
// something that is decoding"). What it writes is resolved: the script that comes out draws nothing when it is executed,
// and gives the same steps as the run in which it was made.

// generator makes one script.
type generator struct {
	Choices
	profile Profile
	script  *traces.Script
	world   *world
	weights [traces.NumVerbs]int // how often each kind of event is drawn; swarm testing: many are 0 in a given script
	prompts [][]int32            // earlier ones, for resending
	shared  []int32              // what prompts of all tenants begin with
	markers [][]int32            // by tenant
	count   int
}

// Generate draws the script of a seed and returns it with the result of the run in which it was drawn.
func Generate(seed uint64, p Profile, o ExecuteOptions) (*traces.Script, *Result) {
	return GenerateFrom(seeded{rand.New(rand.NewPCG(seed, 0x637573746f6479))}, p, o)
}

// GenerateFrom draws a script from choices that somebody else makes.
func GenerateFrom(c Choices, p Profile, o ExecuteOptions) (*traces.Script, *Result) {
	g := &generator{Choices: c, profile: p, script: &traces.Script{}}
	g.script.Config = g.config()
	if p.Configure != nil {
		p.Configure(&g.script.Config)
	}
	g.drawWorker()
	g.drawTenants()
	g.drawWeights()
	g.world = o.newWorld(g.script)
	return g.script, g.run()
}

// run draws and applies events, then drains. After a crash nothing more is drawn.
func (g *generator) run() *Result {
	res := &Result{world: g.world}
	g.world.onFire = func(i int) { res.Noop[i] = false }
	sound := true
	g.Repeat(g.profile.Events, func() bool {
		sound = g.emit(g.draw(), res)
		return sound
	})
	if sound {
		g.emit(traces.Event{Verb: traces.Drain}, res)
	}
	g.world.conclude(res, len(g.script.Events)-1)
	return res
}

// emit applies an event, and reports false if the engine crashed.
func (g *generator) emit(e traces.Event, res *Result) (sound bool) {
	g.script.Events = append(g.script.Events, e)
	res.Noop = append(res.Noop, true)
	i := len(g.script.Events) - 1
	g.world.guarded(func() {
		g.world.perform(&g.script.Events[i], i)
		sound = true
	})
	if sound {
		res.noteLast(g.world, i)
	}
	return sound
}

// pick returns one of the values.
func pick[T any](g *generator, values ...T) T { return values[g.IntN(len(values))] }

// between returns a number of [lo,hi].
func (g *generator) between(lo, hi int32) int32 { return lo + g.below(hi-lo+1) }

// below returns a number of [0,n).
func (g *generator) below(n int32) int32 { return int32(g.IntN(int(n))) }

// draw draws the next event.
func (g *generator) draw() traces.Event {
	total := 0
	for _, w := range g.weights {
		total += w
	}
	n := g.IntN(total)
	for k, w := range g.weights {
		if n -= w; n < 0 {
			return g.event(traces.Verb(k))
		}
	}
	return traces.Event{Verb: traces.Run, Args: traces.Args{traces.Count: 1}}
}

func (g *generator) event(k traces.Verb) traces.Event {
	switch k {
	case traces.Submit:
		return g.submit()
	case traces.Run:
		return traces.Event{Verb: k, Args: traces.Args{traces.Count: int64(pick(g, 1, 1, 2, 3, 5, g.between(1, 12)))}}
	case traces.Advance:
		return traces.Event{Verb: k, Args: traces.Args{traces.Ticks: int64(g.between(1, 60))}}
	case traces.Reset:
		return traces.Event{Verb: k, Args: traces.Args{traces.Force: int64(b2i(g.Chance(50)))}}
	}
	e := traces.Event{Verb: k, Name: g.target()}
	switch k {
	case traces.FailAlloc:
		e.Args[traces.NthBlock] = int64(g.between(0, 5))
	case traces.FailPass, traces.Refuse, traces.Delay:
		e.Args[traces.NthChunk] = int64(g.between(1, 4))
	}
	if k == traces.Delay || k == traces.Stall {
		e.Args[traces.By] = int64(g.between(1, 100))
	}
	e.Args[traces.Final] = int64(b2i(k == traces.Refuse && g.Chance(30)))
	if (k == traces.Cancel || k == traces.Preempt) && g.Chance(40) {
		e.When = g.anchor()
	}
	return e
}

// anchor draws a later point in the request's life.
func (g *generator) anchor() traces.Anchor {
	a := traces.Anchor{Kind: pick(g, traces.WhenTokens, traces.WhenChunk, traces.WhenIssued, traces.WhenDone, traces.WhenState)}
	a.N = g.between(1, 3)
	if a.Kind == traces.WhenState {
		a.N = int32(pick(g, scheduler.Loading, scheduler.Waiting, scheduler.Loading, scheduler.Loaded, scheduler.Prefill, scheduler.Decode, scheduler.Preempted))
	}
	return a
}

// target names a request: mostly one that lives, sometimes one that has ended.
func (g *generator) target() string {
	var live []string
	for i := range g.world.clients {
		if c := &g.world.clients[i]; c.live {
			live = append(live, g.world.names[c.name])
		}
	}
	if len(live) > 0 && !g.Chance(5) {
		return live[g.IntN(len(live))]
	}
	return fmt.Sprintf("r%d", 1+g.IntN(g.count+1))
}
