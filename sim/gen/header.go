package gen

import (
	"custody/sim"
	"custody/traces"
)

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
	c[traces.Policy] = g.choice(traces.Policy)
	c[traces.Free] = g.choice(traces.Free)
	c[traces.Release] = g.choice(traces.Release)
	c[traces.Publish] = g.choice(traces.Publish)
	c[traces.Cache] = int64(pick(g, 1, 1, 1, 0))
	c[traces.KeyBits] = int64(pick(g, 64, 64, 64, g.between(0, 8)))
	c[traces.Reserve] = int64(pick(g, 1, 1, 0))
	c[traces.Copy] = int64(pick(g, 0, 0, g.between(1, 80), g.between(1, 200)))
	c[traces.Link] = int64(pick(g, 0, 0, g.between(1, 40)))
	c[traces.Loop] = g.choice(traces.Loop)
	c[traces.Vocab] = int64(pick(g, 4, 16, 64, 256))
	c[traces.Seed] = int64(g.between(1, 1000))
	return c
}

// choice draws one of the values of a key that is a choice.
func (g *generator) choice(k traces.Key) int64 { return int64(g.IntN(len(traces.Keys[k].Names))) }

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
	for _, v := range sim.Verbs {
		if g.mayDraw(&v) && g.Chance(v.Chance) {
			g.weights[v.Verb] = 1 + g.IntN(10)
		}
	}
}

// mayDraw tells whether the profile wants a verb drawn, and it means something to the engine.
func (g *generator) mayDraw(v *sim.VerbSpec) bool {
	return v.Chance > 0 && g.world.Node().Can(v.Verb) && (g.profile.Faults && v.Fault || g.profile.Refusals && v.Refusal)
}
