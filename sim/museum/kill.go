package museum

import (
	"slices"
	"strconv"
)

// Kill is what one campaign over an exhibit's planted engine has shown: how many seeds it takes to find the defect.
//
// Seeds are independent: each draws its script from its own number alone. So the seeds of one campaign stand for many
// campaigns one after the other, and how many seeds a campaign needs to detect is the gap from one detecting seed to the
// next (the first from 0). The quantiles are those of the gaps, by nearest rank. What follows the last detecting seed is
// no gap and is left out, which matters little as long as there are many: see FewGaps.
type Kill struct {
	ID     string
	Found  int    // seeds that break the exhibit's promise in their first failing step
	Median uint64 // seeds until the first such seed
	P95    uint64
	Any    uint64 // median of seeds until any promise breaks
	Lines  int    // of the minimal script
	Steps  int64  // of the minimal script, up to the breach
}

// enoughGaps is how many detecting seeds end a campaign: exhibits that are found often need few seeds.
const enoughGaps = 400

// FewGaps is below how many detecting seeds a 95th percentile means little.
const FewGaps = 100

// Measure runs the campaign over the exhibit's engine: at most so many seeds, from 1.
func (x *Exhibit) Measure(e *Engines, seeds int) (*Kill, error) {
	r, err := e.Probe(x.ID, append(x.hunt(), "--seeds", strconv.Itoa(seeds), "--found", strconv.Itoa(enoughGaps))...)
	if err != nil {
		return nil, err
	}
	found := gaps(r.Found)
	return &Kill{
		ID: x.ID, Found: len(found), Median: quantile(found, 50), P95: quantile(found, 95), Any: quantile(gaps(r.Failing), 50),
		Lines: r.Lines, Steps: r.Steps,
	}, nil
}

// hunt is the probe's arguments that look for the exhibit's promise.
func (x *Exhibit) hunt() []string {
	args := []string{"--promise", x.Promise}
	if x.Profile != "" {
		args = append(args, "--profile", x.Profile)
	}
	return args
}

// gaps is the distances of ascending seeds from one to the next, the first from 0; in ascending order.
func gaps(seeds []uint64) []uint64 {
	var d []uint64
	last := uint64(0)
	for _, s := range seeds {
		d = append(d, s-last)
		last = s
	}
	slices.Sort(d)
	return d
}

// quantile is the smallest of the ascending values that at least so many percent of them do not exceed; 0 if there are
// none.
func quantile(sorted []uint64, percent int) uint64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[(len(sorted)*percent+99)/100-1]
}

// What the museum asks of its exhibits, in seeds.
const (
	MostMedian = 20  // the median exhibit's median
	MostSeeds  = 500 // each exhibit's median; a 95th percentile above it is told
)

// Sum is what the campaigns come to together.
type Sum struct {
	Median    uint64 // of the exhibits' medians
	MaxMedian uint64
	MaxP95    uint64
	Slow      []string // exhibits that no seed finds, or whose median is above MostSeeds
	Late      []string // exhibits whose 95th percentile is
	Few       []string // exhibits with fewer than FewGaps detecting seeds
}

// Total brings the campaigns together.
func Total(kills []*Kill) Sum {
	var t Sum
	var medians []uint64
	for _, k := range kills {
		if k.Found < FewGaps {
			t.Few = append(t.Few, k.ID)
		}
		if k.Found == 0 || k.Median > MostSeeds {
			t.Slow = append(t.Slow, k.ID)
		}
		if k.P95 > MostSeeds {
			t.Late = append(t.Late, k.ID)
		}
		if k.Found > 0 {
			medians = append(medians, k.Median)
		}
		t.MaxMedian, t.MaxP95 = max(t.MaxMedian, k.Median), max(t.MaxP95, k.P95)
	}
	slices.Sort(medians)
	t.Median = quantile(medians, 50)
	return t
}

// OK tells whether the exhibits are found as fast as the museum asks.
func (t *Sum) OK() bool { return t.Median <= MostMedian && len(t.Slow) == 0 }
