package sim

import (
	"slices"

	"custody/cache"
	"custody/scheduler/protocol"
	"custody/traces"
)

// What a front end turns away before its engine hears of it: the refusals that an engine claims not to make itself.

// turnsAway is the first reason in the order of the table of refusals for which a submission never reaches the engine.
func (n *Node) turnsAway(s *protocol.Spec, nameLive bool) protocol.Reason {
	if n.Claims.Door == nil {
		return protocol.NoReason
	}
	for _, d := range protocol.Denials {
		if !slices.Contains(n.Claims.Door, d.Why) && n.denied(s, d.Why, nameLive) {
			return d.Why
		}
	}
	return protocol.NoReason
}

func (n *Node) denied(s *protocol.Spec, why protocol.Reason, nameLive bool) bool {
	c, people := n.world.cfg, n.world.roster
	longest := c.i32(traces.MaxLen)
	switch why {
	case protocol.NoWorker:
		return c.refused
	case protocol.EmptyPrompt:
		return len(s.Prompt) == 0
	case protocol.TooLong:
		return len(s.Prompt) >= int(longest)
	case protocol.BadLimit:
		return s.Max < 1
	case protocol.BadToken:
		return slices.ContainsFunc(s.Prompt, func(t cache.Token) bool { return t < 0 || t >= cache.Token(c.i32(traces.Vocab)) })
	case protocol.UnknownTenant:
		return s.Tenant < 0
	case protocol.NeverFits:
		positions := min(int64(len(s.Prompt))+int64(s.Max), int64(longest)) - 1
		return positions > int64(c.layout.Blocks-n.Claims.NullBlocks)*int64(c.layout.BlockTokens)
	case protocol.NameLive:
		return nameLive
	case protocol.QueueFull:
		return people.waiting(n) >= c.i32(traces.Queue)
	case protocol.QuotaFull:
		return s.Tenant >= 0 && c.quotas[s.Tenant] > 0 && people.running(s.Tenant) >= c.quotas[s.Tenant]
	}
	return false
}

// waiting is how many requests hold nothing yet, or nothing any more.
func (r *Roster) waiting(n *Node) (count int32) {
	for i := range r.clients {
		if c := &r.clients[i]; c.Live && !c.Ended && n.Engine.View(c.Req).State.Waits() {
			count++
		}
	}
	return count
}

// running is how many of a tenant's requests the engine is not through with.
func (r *Roster) running(tenant int32) (count int32) {
	for i := range r.clients {
		if c := &r.clients[i]; c.Live && !c.Ended && c.Tenant == tenant {
			count++
		}
	}
	return count
}
