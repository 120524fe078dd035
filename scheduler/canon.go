package scheduler

import (
	"slices"

	"custody/cache"
	"custody/scheduler/protocol"
)

// Canon appends what decides the scheduler's future. It is the first part to do so: requests are named in the order of
// its queues, then in that of the operations under way. The pool's part is its own.
func (s *Scheduler) Canon(c *cache.Canon) {
	if s.pool.Prefix() {
		c.KeepTenants() // a cached block is found under a key that means its domain
	}
	for i := range s.flights.list {
		c.Outstanding(s.flights.list[i].op)
	}
	c.Bool(s.resetting)
	c.Bool(s.retry)
	c.Bool(s.shortOfBlocks)
	for _, list := range [...][]int32{s.queues.waiting, s.queues.loading, s.queues.loaded, s.queues.running} {
		c.Int(int32(len(list)))
		for _, slot := range list {
			s.reqs.canon(c, slot, s.cfg.Policy)
		}
	}
	s.flights.canon(c, &s.reqs)
	canonMessages(c, s.ended, s.out)
	canonQuotas(c, s.live, s.cfg.Quotas)
}

func (t *requests) canon(c *cache.Canon, slot int32, policy Policy) {
	x := t.at(slot)
	c.Req(t.current(slot))
	c.Int(int32(x.state))
	c.Name(x.name)
	c.Tenant(x.tenant)
	c.Identity(x.id)
	c.Sampling(x.sampling)
	c.Int(int32(x.eos))
	policy.canon(c, t, slot)
	c.Int(x.limit)
	c.Tokens(t.text(slot))
	for _, n := range [...]int32{x.unsettled, x.planned, x.settled, x.sent.tokens, x.sent.blocks, x.outstanding, x.requeues} {
		c.Int(n)
	}
	c.Op(x.last.op)
	if c.IsOutstanding(x.last.op) {
		c.Int(x.last.row)
	}
}

func (f *flights) canon(c *cache.Canon, reqs *requests) {
	c.Int(int32(len(f.list)))
	for i := range f.list {
		x := &f.list[i]
		c.Int(int32(x.queue))
		c.Int(int32(len(x.rows)))
		for j := range x.rows {
			row := &x.rows[j]
			c.Req(row.req)
			c.Int(row.end)
			c.Bool(row.sample)
			c.Bool(row.refused)
			if !row.refused {
				reqs.canonSince(c, row.req)
			}
		}
	}
}

// canonSince appends what has become of a life: it may have ended, and its slot stand in no queue, or it waits in its next
// life for a token of this one.
func (t *requests) canonSince(c *cache.Canon, r cache.Req) {
	x := t.at(r.Slot)
	c.Int(int32(x.state))
	c.Int(int32(min(x.gen-r.Gen, 2)))
	if x.gen != r.Gen && x.state != Ended {
		c.Req(t.current(r.Slot))
	}
}

// canonMessages appends what the worker and the clients have yet to be told.
func canonMessages(c *cache.Canon, ended []cache.Req, out []protocol.Output) {
	c.Int(int32(len(ended)))
	for _, r := range ended {
		c.Req(r)
	}
	c.Int(int32(len(out)))
	for i := range out {
		c.Req(out[i].Req)
		c.Int(int32(out[i].Token))
		c.Int(int32(out[i].Why))
	}
}

// canonQuotas appends what each tenant has and may have: those that have been named, then the others.
func canonQuotas(c *cache.Canon, live, quotas []int32) {
	known := len(c.Tenants())
	for i := range known {
		canonQuota(c, c.Tenants()[i], live, quotas)
	}
	for tenant := range int32(len(live)) {
		if !slices.Contains(c.Tenants()[:known], tenant) {
			canonQuota(c, tenant, live, quotas)
		}
	}
}

func canonQuota(c *cache.Canon, tenant int32, live, quotas []int32) {
	c.Tenant(tenant)
	c.Int(live[tenant])
	c.Int(quotas[tenant])
}
