package scheduler

import "custody/cache"

// flight is an outstanding operation.
type flight struct {
	op    cache.OpID
	queue cache.Queue
	rows  []flightRow
}

type flightRow struct {
	req     cache.Req
	end     int32 // positions up to here are computed
	sample  bool
	refused bool
}

// flights are the outstanding operations, in the order of issue.
type flights struct {
	list []flight
	next cache.OpID // the number of the next operation
}

func (f *flights) reset() { f.list, f.next = f.list[:0], 1 }

// issue adds an empty operation, reusing the rows of an earlier one.
func (f *flights) issue(q cache.Queue) *flight {
	x := f.add()
	x.op, x.queue, x.rows = f.next, q, x.rows[:0]
	f.next++
	return x
}

func (f *flights) add() *flight {
	if n := len(f.list); n < cap(f.list) {
		f.list = f.list[:n+1]
	} else {
		f.list = append(f.list, flight{})
	}
	return &f.list[len(f.list)-1]
}

// take removes an operation. Its rows stay readable until the next plan.
func (f *flights) take(op cache.OpID) flight {
	for i := range f.list {
		if f.list[i].op == op {
			x := f.list[i]
			n := len(f.list) - 1
			copy(f.list[i:], f.list[i+1:])
			f.list[n] = x // keeps its row buffer for the next flight
			f.list = f.list[:n]
			return x
		}
	}
	panic("scheduler: a result for an operation that is not outstanding")
}

// outstanding returns op if it is outstanding, else 0.
func (f *flights) outstanding(op cache.OpID) cache.OpID {
	for i := range f.list {
		if f.list[i].op == op {
			return op
		}
	}
	return 0
}

func (f *flights) count(q cache.Queue) int32 {
	n := int32(0)
	for i := range f.list {
		if f.list[i].queue == q {
			n++
		}
	}
	return n
}

// refuse marks a row of a pass as one that will have no result. It reports whether there is such a row.
func (f *flights) refuse(op cache.OpID, r cache.Req) bool {
	for i := range f.list {
		for j := range f.list[i].rows {
			if row := &f.list[i].rows[j]; f.list[i].op == op && row.req == r {
				row.refused = true
				return true
			}
		}
	}
	return false
}

func (f *flights) cloneInto(dst *flights) {
	dst.list, dst.next = dst.list[:0], f.next
	for i := range f.list {
		x := dst.add()
		x.op, x.queue, x.rows = f.list[i].op, f.list[i].queue, append(x.rows[:0], f.list[i].rows...)
	}
}
