package scheduler

// A request stands in exactly one list, the one of its state. Waiting requests are in the order of the policy;
// preempted ones return to its front (FCFS) or to their place (Priority).

// leave takes a request out of the list of its state.
func (s *Scheduler) leave(slot int32) {
	if list := s.list(s.reqs[slot].state); list != nil {
		*list = without(*list, slot)
	}
}

// enter puts a request into the list of its state.
func (s *Scheduler) enter(slot int32) {
	switch state := s.reqs[slot].state; state {
	case Waiting:
		s.queue(slot, len(s.waiting))
	case Preempted:
		s.queue(slot, 0)
	default:
		if list := s.list(state); list != nil {
			*list = append(*list, slot)
		}
	}
}

// list is where requests of the state stand; Prefill and Decode share one.
func (s *Scheduler) list(state State) *[]int32 {
	switch state {
	case Waiting, Preempted:
		return &s.waiting
	case Loading:
		return &s.loading
	case Loaded:
		return &s.loaded
	case Prefill, Decode:
		return &s.running
	}
	return nil
}

// queue inserts a waiting request: at the given place, or under Priority where its priority and arrival put it.
func (s *Scheduler) queue(slot int32, at int) {
	if s.cfg.Policy == Priority {
		for at = 0; at < len(s.waiting) && s.before(s.waiting[at], slot); at++ {
		}
	}
	s.waiting = append(s.waiting, 0)
	copy(s.waiting[at+1:], s.waiting[at:])
	s.waiting[at] = slot
}

// before tells whether a comes before b by priority, then arrival.
func (s *Scheduler) before(a, b int32) bool {
	x, y := &s.reqs[a], &s.reqs[b]
	if x.prio != y.prio {
		return x.prio < y.prio
	}
	return x.arrival < y.arrival
}

func without(list []int32, slot int32) []int32 {
	for i, x := range list {
		if x == slot {
			return append(list[:i], list[i+1:]...)
		}
	}
	return list
}
