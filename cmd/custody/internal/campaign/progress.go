package campaign

import (
	"fmt"
	"math"

	"custody/cmd/custody/internal/term"
)

// How far a campaign is, and when it is over.

// over tells whether a seed was the last one.
func (r *campaign) over(seed uint64) bool {
	r.interrupted = r.interrupt.Asked.Load()
	return r.interrupted || seed > math.MaxUint64-r.Shard.N || r.enough() || r.Time > 0 && r.took >= r.Time
}

// enough tells whether the seeds that are completed, by this process and those before, are what was asked for.
func (r *campaign) enough() bool {
	switch r.Until {
	case UntilViolation:
		if r.broken() > 0 {
			return true
		}
	case UntilCovered:
		if r.sum.Covered() {
			return true
		}
	}
	return r.Seeds > 0 && r.completed() >= r.Seeds
}

// completed and broken count the seeds of this process and of those before.
func (r *campaign) completed() uint64 { return r.earlier.seeds + uint64(r.sum.Seeds) }

func (r *campaign) broken() int { return r.earlier.violations + r.sum.Violations + r.again.only }

// total and done are what the bar shows: what has been exercised if that is the aim, seeds if their number is known, else
// milliseconds; nothing if there is no limit.
func (r *campaign) total() int64 {
	switch {
	case r.Until == UntilCovered:
		_, all := r.sum.Reached()
		return int64(all)
	case r.Seeds > 0:
		return int64(min(r.Seeds, math.MaxInt64))
	case r.Time > 0:
		return max(r.Time.Milliseconds(), 1)
	}
	return 1
}

func (r *campaign) done() int64 {
	switch {
	case r.Until == UntilCovered:
		reached, _ := r.sum.Reached()
		return int64(reached)
	case r.Seeds > 0:
		return int64(r.completed())
	}
	return r.took.Milliseconds()
}

func (r *campaign) words() string {
	return fmt.Sprintf("%s seeds, %s steps, %s broken",
		term.Grouped(int64(r.sum.Seeds)), term.Grouped(r.sum.Work.Steps), term.Grouped(int64(r.sum.Violations)))
}
