package workload_test

import (
	"fmt"
	"strings"

	"custody/sim/workload"
	"custody/traces"
)

// Two requests whose prompts begin with the same two blocks of 512 tokens, in Mooncake's format.
func ExampleOptions() {
	rows := `{"timestamp": 0, "input_length": 1024, "output_length": 4, "hash_ids": [1, 2]}
{"timestamp": 30, "input_length": 1100, "output_length": 2, "hash_ids": [1, 2, 3]}
`
	o := workload.Defaults()
	o.Divisor, o.Faults = 64, 0
	read, _, err := o.Read("two.jsonl", strings.NewReader(rows))
	if err != nil {
		fmt.Println(err)
		return
	}
	script := o.Script(read)
	for i := range script.Events {
		if e := &script.Events[i]; e.Verb == traces.Submit {
			fmt.Println(e.Name, "with", len(e.Prompt), "tokens of", e.Tenant)
		}
	}
	// Output:
	// r1 with 16 tokens of t1
	// r2 with 17 tokens of t1
}
