package invariants_test

import (
	"fmt"

	"custody/cache"
	"custody/invariants"
)

// Each promise has a name, a sentence, and a unit in which its checks are counted.
func ExampleStatement() {
	s := invariants.Statements[invariants.Tenant]
	fmt.Printf("%s: %s\n", s.Name, s.Sentence)
	// Output: tenant: no output token of one isolation domain was computed from a slot written in another
}

// A consumer follows the stream of an engine and keeps the first event that does not fit.
func ExampleConsumer() {
	router := invariants.NewConsumer(8)
	router.Stored(cache.Stored{Key: 0xa1, First: true, Tokens: []cache.Token{1, 2, 3, 4}})
	fmt.Println(router.Len(), router.Err())
	router.Removed(0xb2)
	fmt.Println(router.Len(), router.Err())
	// Output:
	// 1 <nil>
	// 1 kv event: removed 00000000000000b2: it is not held
}
