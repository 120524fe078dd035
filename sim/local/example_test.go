package local_test

import (
	"fmt"

	"custody/cache"
	"custody/scheduler/protocol"
	"custody/sim/engine"
	"custody/sim/local"
	"custody/traces"
)

// Custody's own engine behind the interface: it says hello, takes a request in and plans its first pass.
func ExampleNew() {
	layout := cache.Layout{Blocks: 8, Layers: 2, BlockTokens: 4, TokenWords: 1}
	e := local.New()
	claims, err := e.Hello(engine.Setup{
		Config: traces.DefaultConfig(), Quotas: []int32{0}, Layout: layout, Memory: cache.NewMemory(layout),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("passes at once:", claims.Depth)
	e.Submit(0, &protocol.Spec{Name: 1, Prompt: []cache.Token{5, 6, 7}, Max: 2, EOS: -1})
	var plan protocol.Plan
	for e.Plan(&plan) {
		fmt.Println("rows:", len(plan.Rows))
	}
	// Output:
	// passes at once: 1
	// rows: 1
}
