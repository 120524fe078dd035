package scheduler_test

import (
	"fmt"

	"custody/cache"
	"custody/scheduler"
	"custody/scheduler/protocol"
)

// Requests go in, plans and outputs come out; whoever drives the scheduler carries the plans out. Here the worker
// samples 7 whatever it is asked.
func ExampleScheduler() {
	cfg := scheduler.Config{MaxRows: 2, Budget: 8, MaxLen: 16, MaxQueue: 4, Depth: 1, Vocab: 100, Quotas: []int32{0}}
	layout := cache.Layout{Blocks: 8, Layers: 1, BlockTokens: 4, TokenWords: 1}
	pool := cache.NewPool(cache.Config{Layout: layout, Reqs: cfg.Slots(), MaxLen: 16, KeyBits: 64}, cache.NewMemory(layout))
	s := scheduler.New(cfg, pool)
	s.Submit(&protocol.Spec{Name: 1, Prompt: []cache.Token{5, 6, 7, 8, 9}, Max: 2, EOS: -1})

	var plan protocol.Plan
	for s.Plan(&plan) {
		if plan.Op == 0 {
			continue // it only tells the worker who has ended
		}
		result := protocol.Result{Op: plan.Op}
		for _, row := range plan.Rows {
			fmt.Printf("a pass over [%d,%d)\n", row.Start, row.Start+row.N)
			var sampled []cache.Token
			if row.Sample {
				sampled = []cache.Token{7}
			}
			result.Add(row.Req, sampled)
		}
		s.Settle(&result)
		for _, out := range s.Outputs() {
			if out.Why == protocol.NoReason {
				fmt.Println("a token:", out.Token)
			} else {
				fmt.Println("the end:", out.Why)
			}
		}
	}
	// Output:
	// a pass over [0,5)
	// a token: 7
	// a pass over [5,6)
	// a token: 7
	// the end: length
}
