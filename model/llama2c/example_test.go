package llama2c_test

import (
	"fmt"

	"custody/model/llama2c"
)

// A file that is none says so.
func ExampleRead() {
	_, err := llama2c.Read([]byte("no checkpoint"))
	fmt.Println(err)
	// Output: llama2c: the file has 13 bytes, expected at least the 28 of the header
}
