package gen

import (
	"fmt"

	"custody/scheduler"
	"custody/sim"
	"custody/traces"
)

// submit draws a request: often one whose prompt others share, of a length at which a block ends.
func (g *generator) submit() traces.Event {
	c := &g.script.Config
	tenant := g.IntN(len(g.script.Tenants))
	e := traces.Event{
		Verb: traces.Submit, Tenant: g.script.Tenants[tenant].Name, Prompt: g.prompt(tenant),
		Args: traces.Args{
			traces.Max: int64(pick(g, 1, 2, g.between(1, 16))), traces.EOS: -1, traces.SamplingSeed: int64(g.IntN(4)),
		},
	}
	if g.Chance(40) {
		e.Args[traces.EOS] = int64(g.below(int32(min(c[traces.Vocab], 16))))
	}
	if c[traces.Policy] == int64(scheduler.Priority) {
		e.Args[traces.Prio] = int64(g.between(0, 3))
	}
	e.Args[traces.Temp], e.Args[traces.TopK], e.Args[traces.TopP] = warmth(e.Seed())
	g.spoil(&e)
	e.Name = g.name()
	return e
}

// warmth is how a request of a sampling seed draws its tokens: by one seed greedily, by the others in different ways.
func warmth(seed uint64) (temp, topK, topP int64) {
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
		e.Args[traces.Max] = 0
	case 3:
		e.Tenant = sim.UnknownTenant
	case 4:
		e.Prompt = append(append([]int32(nil), e.Prompt...), int32(g.script.Config[traces.Vocab]))
	}
}
