package scheduler

import "slices"

// queues are the lists in which requests stand, by slot: each in exactly one, that of its state. Waiting requests are in
// the order of the policy; preempted ones return to its front (FCFS) or to their place (Priority).
type queues struct {
	waiting []int32
	loading []int32
	loaded  []int32
	running []int32 // in order of admission
}

func newQueues(slots int32) queues {
	list := func() []int32 { return make([]int32, 0, slots) }
	return queues{waiting: list(), loading: list(), loaded: list(), running: list()}
}

func (q *queues) reset() {
	q.waiting, q.loading, q.loaded, q.running = q.waiting[:0], q.loading[:0], q.loaded[:0], q.running[:0]
}

// of is where requests of the state stand; Prefill and Decode share one.
func (q *queues) of(state State) *[]int32 {
	switch {
	case state.Waits():
		return &q.waiting
	case state == Loading:
		return &q.loading
	case state == Loaded:
		return &q.loaded
	case state == Prefill, state == Decode:
		return &q.running
	}
	return nil
}

// leave takes a request out of the list of its state.
func (q *queues) leave(slot int32, state State) {
	if list := q.of(state); list != nil {
		if i := slices.Index(*list, slot); i >= 0 {
			*list = slices.Delete(*list, i, i+1)
		}
	}
}

func (q *queues) cloneInto(dst *queues) {
	dst.waiting = append(dst.waiting[:0], q.waiting...)
	dst.loading = append(dst.loading[:0], q.loading...)
	dst.loaded = append(dst.loaded[:0], q.loaded...)
	dst.running = append(dst.running[:0], q.running...)
}

// enter puts a request into the list of its state.
func (s *Scheduler) enter(slot int32, state State) {
	switch {
	case state == Waiting:
		s.wait(slot, len(s.queues.waiting))
	case again[state]:
		s.wait(slot, 0)
	default:
		if list := s.queues.of(state); list != nil {
			*list = append(*list, slot)
		}
	}
}
