package main

import (
	"fmt"
	"math"
)

// How far a campaign is, and when it is over.

// over tells whether a seed was the last one.
func (r *campaign) over(seed uint64) bool {
	r.interrupted = r.interrupt.asked.Load()
	return r.interrupted || seed > math.MaxUint64-r.shard.n || r.enough() || r.time > 0 && r.took >= r.time
}

// enough tells whether the seeds that are completed, by this process and those before, are what was asked for.
func (r *campaign) enough() bool {
	switch r.until {
	case untilViolation:
		if r.broken() > 0 {
			return true
		}
	case untilCovered:
		if r.sum.Covered() {
			return true
		}
	}
	return r.seeds > 0 && r.completed() >= r.seeds
}

// completed and broken count the seeds of this process and of those before.
func (r *campaign) completed() uint64 { return r.earlier.seeds + uint64(r.sum.Seeds) }

func (r *campaign) broken() int { return r.earlier.violations + r.sum.Violations + r.again.only }

// total and done are what the bar shows: what has been exercised if that is the aim, seeds if their number is known, else
// milliseconds; nothing if there is no limit.
func (r *campaign) total() int64 {
	switch {
	case r.until == untilCovered:
		_, all := r.sum.Reached()
		return int64(all)
	case r.seeds > 0:
		return int64(min(r.seeds, math.MaxInt64))
	case r.time > 0:
		return max(r.time.Milliseconds(), 1)
	}
	return 1
}

func (r *campaign) done() int64 {
	switch {
	case r.until == untilCovered:
		reached, _ := r.sum.Reached()
		return int64(reached)
	case r.seeds > 0:
		return int64(r.completed())
	}
	return r.took.Milliseconds()
}

func (r *campaign) words() string {
	return fmt.Sprintf("%s seeds, %s steps, %s broken",
		grouped(int64(r.sum.Seeds)), grouped(r.sum.Work.Steps), grouped(int64(r.sum.Violations)))
}
