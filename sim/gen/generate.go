// Package gen draws scripts: a configuration, then event by event, looking at the world that the events lead to ("cancel
// something that is decoding"). What it writes is resolved: the script that comes out draws nothing when it is executed,
// and gives the same steps as the run in which it was made.
//
//	seed ──Generate──▶ script, result
//
// A Profile says how large worlds are and how much happens in them.
package gen

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"custody/scheduler"
	"custody/sim"
	"custody/sim/engine"
	"custody/traces"
)

// generator makes one script.
type generator struct {
	Choices
	profile Profile
	script  *traces.Script
	world   *sim.World
	weights [traces.NumVerbs]int // how often each kind of event is drawn; swarm testing: many are 0 in a given script
	prompts [][]int32            // earlier ones, for resending
	shared  []int32              // what prompts of all tenants begin with
	markers [][]int32            // by tenant
	count   int
}

// Generate draws the script of a seed and returns it with the result of the run in which it was drawn. The error says why
// the world that was drawn cannot be run with these options.
func Generate(seed uint64, p Profile, o sim.ExecuteOptions) (*traces.Script, *sim.Result, error) {
	return From(seeded{rand.New(rand.NewPCG(seed, 0x637573746f6479))}, p, o)
}

// From draws a script from choices that somebody else makes.
func From(c Choices, p Profile, o sim.ExecuteOptions) (*traces.Script, *sim.Result, error) {
	g := &generator{Choices: c, profile: p, script: &traces.Script{Engine: traces.Engine{Settings: p.Settings}}}
	g.script.Config = g.config()
	if p.Configure != nil {
		p.Configure(&g.script.Config)
	}
	g.script.Events = make([]traces.Event, 0, p.Events+1) // and the drain
	g.drawWorker()
	g.drawTenants()
	if err := g.start(o); err != nil {
		return g.script, nil, err
	}
	g.drawWeights()
	g.run()
	return g.script, g.world.Result(), nil
}

// start builds the world of the header. An engine that takes no refusals gets no worker that could refuse. The script says
// which engine it was drawn for.
func (g *generator) start(o sim.ExecuteOptions) (err error) {
	g.world, err = sim.NewWorld(g.script, o)
	if errors.Is(err, engine.ErrRefusing) {
		g.script.Workers = nil
		g.world, err = sim.NewWorld(g.script, o)
	}
	if err == nil {
		g.script.Engine.Name = g.world.Node().Claims.Name
	}
	return err
}

// run draws and applies events, then drains. After a crash nothing more is drawn.
func (g *generator) run() {
	sound := true
	g.Repeat(g.profile.Events, func() bool {
		sound = g.world.Append(g.draw())
		return sound
	})
	if sound {
		g.world.Append(traces.Event{Verb: traces.Drain})
	}
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
	}
	return g.line(k)
}

// line draws the arguments of a verb that is no derived time.
func (g *generator) line(k traces.Verb) traces.Event {
	v := sim.Verbs[slices.IndexFunc(sim.Verbs, func(v sim.VerbSpec) bool { return v.Verb == k })]
	e := traces.Event{Verb: k}
	if v.Target {
		e.Name = g.target()
	}
	for _, a := range v.Args {
		if a.Chance > 0 {
			e.Args[a.Arg] = int64(b2i(g.Chance(a.Chance)))
		} else {
			e.Args[a.Arg] = int64(g.between(a.Lo, a.Hi))
		}
	}
	if v.Anchor > 0 && g.Chance(v.Anchor) {
		e.When = g.anchor()
	}
	return e
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// anchor draws a later point in the request's life.
func (g *generator) anchor() traces.Anchor {
	a := traces.Anchor{Kind: pick(g, traces.WhenTokens, traces.WhenChunk, traces.WhenIssued, traces.WhenDone, traces.WhenState)}
	a.N = g.between(1, 3)
	if a.Kind == traces.WhenState {
		a.N = int32(pick(g, states(g.world.Node().Can(traces.FailCopy))...))
	}
	return a
}

// states are those in which a request lives. Loading is there twice where there are copies: it is short.
func states(copies bool) (list []scheduler.State) {
	if copies {
		list = append(list, scheduler.Loading)
	}
	for s := scheduler.Waiting; s < scheduler.Ended; s++ {
		if copies || s != scheduler.Loading && s != scheduler.Loaded {
			list = append(list, s)
		}
	}
	return list
}

// target names a request: mostly one that lives, sometimes one that has ended.
func (g *generator) target() string {
	var live []string
	people := g.world.Roster()
	for i := range int32(people.Len()) {
		if people.Client(i).Live {
			live = append(live, people.Name(i))
		}
	}
	if len(live) > 0 && !g.Chance(5) {
		return live[g.IntN(len(live))]
	}
	return fmt.Sprintf("r%d", 1+g.IntN(g.count+1))
}
