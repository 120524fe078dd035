package cache_test

import (
	"fmt"

	"custody/cache"
)

// A prompt that begins like an earlier one finds the blocks that the earlier request has filled, published and left.
func ExamplePool() {
	layout := cache.Layout{Blocks: 8, Layers: 1, BlockTokens: 4, TokenWords: 1}
	cfg := cache.Config{Layout: layout, Reqs: 2, MaxLen: 16, Prefix: true, KeyBits: 64}
	pool := cache.NewPool(cfg, cache.NewMemory(layout))
	amber, prompt := cache.Identity{Domain: 1}, []cache.Token{1, 2, 3, 4, 5, 6}

	first, hit := cache.Req{Slot: 0, Gen: 1}, cache.Hit{}
	pool.Lookup(amber, prompt, &hit)
	if err := pool.Admit(first, &hit, int32(len(prompt)), 0); err != nil {
		fmt.Println(err)
		return
	}
	pool.Publish(first, amber, prompt, int32(len(prompt)), 0)
	pool.Release(first, 0)

	pool.Lookup(amber, prompt, &hit)
	fmt.Println("the same tenant finds", hit.Tokens, "tokens in", len(hit.Blocks), "block")
	pool.Lookup(cache.Identity{Domain: 2}, prompt, &hit)
	fmt.Println("another one finds", hit.Tokens)
	// Output:
	// the same tenant finds 4 tokens in 1 block
	// another one finds 0
}

// Which blocks two requests hold does not decide what comes next: the states have one canonical form.
func ExampleCanon() {
	layout := cache.Layout{Blocks: 8, Layers: 1, BlockTokens: 4, TokenWords: 1}
	amber, teal := cache.Req{Slot: 0}, cache.Req{Slot: 1}
	sum := func(order ...cache.Req) [2]uint64 {
		pool := cache.NewPool(cache.Config{Layout: layout, Reqs: 2, MaxLen: 16}, cache.NewMemory(layout))
		for _, r := range order {
			if err := pool.Admit(r, &cache.Hit{Tail: cache.None}, 6, 0); err != nil {
				fmt.Println(err)
			}
		}
		var c cache.Canon
		c.Req(amber) // the names are those of whoever comes first
		c.Req(teal)
		pool.Canon(&c)
		return c.Sum()
	}
	fmt.Println(sum(amber, teal) == sum(teal, amber), sum(amber) == sum(teal))
	// Output: true false
}
