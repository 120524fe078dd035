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
	weights [traces.NumKinds]int // how often each kind of event is drawn; swarm testing: many are 0 in a given script
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
		g.emit(traces.Event{Kind: traces.Drain}, res)
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

// config draws a configuration: tiny pools and sizes at which boundaries are near.
func (g *generator) config() traces.Config {
	c := traces.DefaultConfig()
	c[traces.Block] = int64(pick(g, 1, 2, 3, 4, 4, 4, 8))
	c[traces.Blocks] = int64(g.between(3, g.profile.MaxBlocks))
	c[traces.Rows] = int64(g.between(1, 6))
	c[traces.Chunk] = int64(pick(g, 0, 0, g.between(1, 12)))
	c[traces.Budget] = int64(pick(g, 64, 64, g.between(1, 32)))
	c[traces.MaxLen] = int64(g.between(6, 48))
	c[traces.Depth] = int64(g.between(1, g.profile.Depth))
	c[traces.Overlap] = int64(pick(g, 1, 1, 0))
	c[traces.Queue] = int64(pick(g, 16, 16, g.between(1, 6)))
	c[traces.Quota] = int64(pick(g, 0, 0, g.between(1, 4)))
	c[traces.Requeues] = int64(g.between(0, 3))
	c[traces.Policy] = int64(g.between(0, 1))
	c[traces.Free] = int64(g.between(0, 2))
	c[traces.Release] = int64(g.between(0, 1))
	c[traces.Publish] = int64(g.between(0, 1))
	c[traces.Cache] = int64(pick(g, 1, 1, 1, 0))
	c[traces.KeyBits] = int64(pick(g, 64, 64, 64, g.between(0, 8)))
	c[traces.Reserve] = int64(pick(g, 1, 1, 0))
	c[traces.Copy] = int64(pick(g, 0, 0, g.between(1, 80), g.between(1, 200)))
	c[traces.Link] = int64(pick(g, 0, 0, g.between(1, 40)))
	c[traces.Loop] = int64(g.between(0, 1))
	c[traces.Vocab] = int64(pick(g, 4, 16, 64, 256))
	c[traces.Seed] = int64(g.between(1, 1000))
	return c
}

// drawWorker gives the worker a configuration of its own: limits that differ, seldom a layout field.
func (g *generator) drawWorker() {
	if !g.profile.Mismatch || g.Chance(40) {
		return
	}
	w := traces.Worker{Name: "w1", Value: g.script.Config}
	set := func(k traces.Key, v int64) { w.Value[k], w.Has[k] = v, true }
	switch c := &g.script.Config; {
	case g.profile.Layout || g.profile.Faults && g.Chance(4):
		k := pick(g, traces.Block, traces.Layers, traces.Heads, traces.HeadDim, traces.Rope, traces.Dtype, traces.Vocab)
		set(k, g.otherLayout(k, c[k]))
	case g.Chance(60):
		set(traces.MaxLen, int64(g.between(2, int32(c[traces.MaxLen]))))
	case g.Chance(50):
		set(traces.Rows, int64(g.between(1, int32(c[traces.Rows]))))
	default:
		set(traces.Budget, int64(g.between(1, int32(c[traces.Budget]))))
	}
	g.script.Workers = append(g.script.Workers, w)
}

// otherLayout is a value of a layout field that differs from the engine's.
func (g *generator) otherLayout(k traces.Key, v int64) int64 {
	spec := &traces.Keys[k]
	if v < spec.Max {
		return v + 1
	}
	return v - 1
}

// tenantNames are the names that generated scripts use.
var tenantNames = [...]string{"amber", "teal", "olive"}

// drawTenants declares the tenants, a marker for each, and what all prompts may begin with.
func (g *generator) drawTenants() {
	n := 1 + g.IntN(len(tenantNames))
	for i := range n {
		t := traces.Tenant{Name: tenantNames[i]}
		if g.Chance(15) {
			t.Quota = int64(g.between(1, 3))
		}
		m := g.tokens(3)
		g.markers = append(g.markers, m)
		t.Marker = []int32{m[0], m[1], m[2], m[0]}
		g.script.Tenants = append(g.script.Tenants, t)
	}
	g.shared = g.tokens(int32(g.script.Config[traces.Block]) * g.between(0, 3))
}

func (g *generator) tokens(n int32) []int32 {
	t := make([]int32, n)
	for i := range t {
		t[i] = g.below(int32(g.script.Config[traces.Vocab]))
	}
	return t
}

// drawWeights decides which kinds of events this script has, and how often.
func (g *generator) drawWeights() {
	g.weights[traces.Submit], g.weights[traces.Run] = 20+g.IntN(20), 30+g.IntN(40)
	g.weights[traces.Advance] = g.IntN(6)
	if g.profile.Refusals && g.Chance(40) {
		g.weights[traces.Refuse] = 1 + g.IntN(10)
	}
	if !g.profile.Faults {
		return
	}
	for _, k := range []traces.Kind{
		traces.Cancel, traces.Preempt, traces.Reset, traces.FailAlloc, traces.FailPass, traces.FailCopy, traces.Delay, traces.Stall,
	} {
		if g.Chance(50) {
			g.weights[k] = 1 + g.IntN(10)
		}
	}
}

// draw draws the next event.
func (g *generator) draw() traces.Event {
	total := 0
	for _, w := range g.weights {
		total += w
	}
	n := g.IntN(total)
	for k, w := range g.weights {
		if n -= w; n < 0 {
			return g.event(traces.Kind(k))
		}
	}
	return traces.Event{Kind: traces.Run, N: 1}
}

func (g *generator) event(k traces.Kind) traces.Event {
	switch k {
	case traces.Submit:
		return g.submit()
	case traces.Run:
		return traces.Event{Kind: k, N: pick(g, 1, 1, 2, 3, 5, g.between(1, 12))}
	case traces.Advance:
		return traces.Event{Kind: k, By: g.between(1, 60)}
	case traces.Reset:
		return traces.Event{Kind: k, Force: g.Chance(50)}
	}
	e := traces.Event{Kind: k, Name: g.target()}
	switch k {
	case traces.FailAlloc:
		e.N = g.between(0, 5)
	case traces.FailPass, traces.Refuse, traces.Delay:
		e.N = g.between(1, 4)
	}
	if k == traces.Delay || k == traces.Stall {
		e.By = g.between(1, 100)
	}
	e.Final = k == traces.Refuse && g.Chance(30)
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

// submit draws a request: often one whose prompt others share, of a length at which a block ends.
func (g *generator) submit() traces.Event {
	c := &g.script.Config
	tenant := g.IntN(len(g.script.Tenants))
	e := traces.Event{
		Kind: traces.Submit, Tenant: g.script.Tenants[tenant].Name, Prompt: g.prompt(tenant), Max: pick(g, 1, 2, g.between(1, 16)),
		EOS: -1, Seed: uint64(g.IntN(4)),
	}
	if g.Chance(40) {
		e.EOS = g.below(int32(min(c[traces.Vocab], 16)))
	}
	if c[traces.Policy] == int64(scheduler.Priority) {
		e.Prio = g.between(0, 3)
	}
	e.Temp, e.TopK, e.TopP = warmth(e.Seed)
	g.spoil(&e)
	e.Name = g.name()
	return e
}

// warmth is how a request of a sampling seed draws its tokens: by one seed greedily, by the others in different ways.
func warmth(seed uint64) (temp, topK, topP int32) {
	switch seed {
	case 1:
		return 100, 0, 0
	case 2:
		return 80, 20, 0
	case 3:
		return 150, 0, 90
	}
	return 0, 0, 0
}

// name is a new name, or seldom that of an earlier request.
func (g *generator) name() string {
	if g.count > 0 && g.Chance(15) {
		return fmt.Sprintf("r%d", 1+g.IntN(g.count))
	}
	g.count++
	return fmt.Sprintf("r%d", g.count)
}

// prompt draws a prompt: an earlier one again, or the shared tokens, the tenant's marker and fresh ones, cut to a length
// of k·B−1, k·B or k·B+1.
func (g *generator) prompt(tenant int) []int32 {
	c := &g.script.Config
	again, off := 40, g.between(-1, 1)
	if c[traces.Copy] > 0 { // what is copied is the tail of a prompt of whole blocks that came before
		again, off = 60, pick(g, 0, 0, off)
	}
	if len(g.prompts) > 0 && g.Chance(again) {
		return g.prompts[g.IntN(len(g.prompts))]
	}
	block := int32(c[traces.Block])
	n := block*g.between(1, max(1, min(6, int32(c[traces.MaxLen])/block))) + off
	n = max(1, min(n, int32(c[traces.MaxLen])-1))
	t := append([]int32(nil), g.shared...)
	t = append(t, g.markers[tenant]...)
	for int32(len(t)) < n {
		t = append(t, g.below(int32(c[traces.Vocab])))
	}
	t = t[:n]
	g.prompts = append(g.prompts, t)
	return t
}

// spoil seldom makes a submission that must be turned away.
func (g *generator) spoil(e *traces.Event) {
	if !g.profile.Faults || !g.Chance(6) {
		return
	}
	switch g.IntN(5) {
	case 0:
		e.Prompt = nil
	case 1:
		e.Prompt = g.tokens(int32(g.script.Config[traces.MaxLen]) + g.between(0, 2))
	case 2:
		e.Max = 0
	case 3:
		e.Tenant = unknownTenant
	case 4:
		e.Prompt = append(append([]int32(nil), e.Prompt...), int32(g.script.Config[traces.Vocab]))
	}
}
