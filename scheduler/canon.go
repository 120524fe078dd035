package scheduler

import (
	"slices"

	"custody/cache"
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
			s.canonRequest(c, slot)
		}
	}
	s.canonFlights(c)
	s.canonMessages(c)
	s.canonQuotas(c)
}

func (s *Scheduler) canonRequest(c *cache.Canon, slot int32) {
	x := s.reqs.at(slot)
	c.Req(s.Current(slot))
	c.Int(int32(x.state))
	c.Name(x.name)
	c.Tenant(x.tenant)
	c.Identity(x.id)
	c.Sampling(x.sampling)
	c.Int(int32(x.eos))
	if s.cfg.Policy == Priority {
		c.Int(x.prio)
		c.Int(s.reqs.earlier(slot))
	}
	c.Int(x.limit)
	c.Tokens(s.reqs.text(slot))
	for _, n := range [...]int32{x.unsettled, x.planned, x.settled, x.sent.tokens, x.sent.blocks, x.outstanding, x.requeues} {
		c.Int(n)
	}
	c.Op(x.last.op)
	if c.IsOutstanding(x.last.op) {
		c.Int(x.last.row)
	}
}

// earlier is how many live requests arrived before the slot's.
func (t *requests) earlier(slot int32) int32 {
	n := int32(0)
	for i := range t.list {
		if x := &t.list[i]; x.state != Absent && x.state != Ended && x.arrival < t.list[slot].arrival {
			n++
		}
	}
	return n
}

func (s *Scheduler) canonFlights(c *cache.Canon) {
	c.Int(int32(len(s.flights.list)))
	for i := range s.flights.list {
		f := &s.flights.list[i]
		c.Int(int32(f.queue))
		c.Int(int32(len(f.rows)))
		for j := range f.rows {
			row := &f.rows[j]
			c.Req(row.req)
			c.Int(row.end)
			c.Bool(row.sample)
			c.Bool(row.refused)
			if !row.refused {
				s.canonSince(c, row.req)
			}
		}
	}
}

// canonSince appends what has become of a life: it may have ended, and its slot stand in no queue, or it waits in its next
// life for a token of this one.
func (s *Scheduler) canonSince(c *cache.Canon, r cache.Req) {
	x := s.reqs.at(r.Slot)
	c.Int(int32(x.state))
	c.Int(int32(min(x.gen-r.Gen, 2)))
	if x.gen != r.Gen && x.state != Ended {
		c.Req(s.Current(r.Slot))
	}
}

// canonMessages appends what the worker and the clients have yet to be told.
func (s *Scheduler) canonMessages(c *cache.Canon) {
	c.Int(int32(len(s.ended)))
	for _, r := range s.ended {
		c.Req(r)
	}
	c.Int(int32(len(s.out)))
	for i := range s.out {
		c.Req(s.out[i].Req)
		c.Int(int32(s.out[i].Token))
		c.Int(int32(s.out[i].Why))
	}
}

// canonQuotas appends what each tenant has and may have: those that have been named, then the others.
func (s *Scheduler) canonQuotas(c *cache.Canon) {
	named := len(c.Tenants())
	for _, tenant := range c.Tenants()[:named] {
		s.canonQuota(c, tenant)
	}
	for tenant := range int32(len(s.live)) {
		if !slices.Contains(c.Tenants()[:named], tenant) {
			s.canonQuota(c, tenant)
		}
	}
}

func (s *Scheduler) canonQuota(c *cache.Canon, tenant int32) {
	c.Tenant(tenant)
	c.Int(s.live[tenant])
	c.Int(s.cfg.Quotas[tenant])
}
