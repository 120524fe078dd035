package scheduler

import (
	"slices"

	"custody/cache"
)

// Policy says which waiting request is next and which running one gives way.
type Policy uint8

// The policies.
const (
	FCFS     Policy = iota // first come, first served; the newest admitted gives way
	Priority               // lowest priority number, then first come; the highest number gives way
)

// wait inserts a waiting request: at the given place, or under Priority where its priority and arrival put it.
func (s *Scheduler) wait(slot int32, at int) {
	list := &s.queues.waiting
	if s.cfg.Policy == Priority {
		for at = 0; at < len(*list) && s.reqs.before((*list)[at], slot); at++ {
		}
	}
	*list = slices.Insert(*list, at, slot)
}

// victim is the running request that gives way.
func (p *planning) victim() int32 {
	running := p.queues.running
	v := running[len(running)-1]
	if p.cfg.Policy == FCFS {
		return v
	}
	for _, slot := range running {
		if p.reqs.before(v, slot) {
			v = slot
		}
	}
	return v
}

// before tells whether a comes before b by priority, then arrival.
func (t *requests) before(a, b int32) bool {
	x, y := t.at(a), t.at(b)
	if x.prio != y.prio {
		return x.prio < y.prio
	}
	return x.arrival < y.arrival
}

// canon appends what decides about a request's turn beside its place in the queue.
func (p Policy) canon(c *cache.Canon, t *requests, slot int32) {
	if p == Priority {
		c.Int(t.at(slot).prio)
		c.Int(t.earlier(slot))
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
