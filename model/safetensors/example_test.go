package safetensors_test

import (
	"fmt"

	"custody/model/llama"
	"custody/model/safetensors"
)

// Weights become a file, and the file weights again.
func Example() {
	file, err := safetensors.FromWeights(llama.RandomWeights(llama.Small(), 7)).Encode()
	if err != nil {
		fmt.Println(err)
		return
	}
	read, err := safetensors.Decode(file)
	if err != nil {
		fmt.Println(err)
		return
	}
	w, err := read.Weights()
	fmt.Println(w.Arch == llama.Small(), err)
	// Output: true <nil>
}
