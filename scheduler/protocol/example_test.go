package protocol_test

import (
	"fmt"

	"custody/scheduler/protocol"
)

// Every reason for which a request may be turned away has a name, and somebody who gives it.
func ExampleReason() {
	for _, d := range protocol.Denials {
		if d.Why == protocol.QueueFull || d.Why == protocol.RowsFull {
			fmt.Printf("%s, by the %s: %s\n", d.Why, d.By, d.When)
		}
	}
	// Output:
	// queue-full, by the admission: as many requests are waiting as the queue may hold
	// rows-full, by the worker: all of the worker's rows are bound
}
