package invariants_test

import (
	"fmt"

	"custody/cache"
	"custody/invariants"
)

// Two requests of two isolation domains are computed in one pass. The worker reads the second one through the first one's
// block, as it would if a row of its block table had not been cleared.
func Example() {
	ledger := invariants.NewLedger(invariants.Config{
		Shape:  invariants.Shape{Blocks: 2, BlockTokens: 4, Layers: 1, Slots: 2, Rows: 2},
		Bounds: invariants.Bounds{MaxLen: 8, MaxQueue: 2, Vocab: 100, Budget: 8, MaxRows: 2, Quotas: []int32{0, 0}},
	}, nil)

	ledger.Begin(1, 0)
	for i := range int32(2) {
		ledger.Submitted(i, &invariants.Submission{
			Tenant: i, ID: cache.Identity{Domain: uint32(i)}, Prompt: []cache.Token{10, 11, 12 + cache.Token(i)}, Max: 1,
		})
		life := cache.Req{Slot: i}
		ledger.Life(life, cache.Accepted, cache.NoCause)
		ledger.Block(cache.Alloc, life, cache.BlockID(i), 0)
		ledger.Life(life, cache.Running, cache.NoCause)
		ledger.Row(cache.Bound, i, life)
	}
	ledger.EndStep()

	ledger.Begin(2, 0)
	ledger.Op(cache.Issued, 1, cache.PassQueue)
	own := func(i int32) cache.Run { return cache.Run{Table: []cache.BlockID{cache.BlockID(i)}, Hi: 3} }
	for i := range int32(2) {
		ledger.Planned(1, cache.Req{Slot: i}, own(i))
	}
	for i := range int32(2) {
		ledger.Touch(cache.Write, 1, cache.Req{Slot: i}, 0, own(i))
	}
	for i := range int32(2) {
		ledger.Touch(cache.Read, 1, cache.Req{Slot: i}, 0, own(0)) // the defect: own(i) is right
	}
	ledger.EndStep()

	for _, b := range ledger.Breaches() {
		fmt.Printf("step %d breaks %s: client %d read position %d in block %d, a %s slot written by client %d (%s)\n",
			b.Step, invariants.Statements[b.Promise].Name, b.Reader, b.Pos, b.Block, b.Slot, b.Writer, b.Relation)
	}
	fmt.Println(ledger.Checks(invariants.Content), "slots were looked at")
	// Output:
	// step 2 breaks tenant: client 1 read position 0 in block 0, a live slot written by client 0 (other-domain)
	// step 2 breaks content: client 1 read position 0 in block 0, a live slot written by client 0 (other-domain)
	// 6 slots were looked at
}
