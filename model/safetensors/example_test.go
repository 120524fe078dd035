package safetensors_test

import (
	"fmt"

	"custody/model"
	"custody/model/safetensors"
)

// Weights become a file, and the file weights again.
func Example() {
	file, err := safetensors.FromWeights(model.RandomWeights(model.Small(), 7)).Encode()
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
	fmt.Println(w.Arch == model.Small(), err)
	// Output: true <nil>
}
