package llama_test

import (
	"fmt"

	"custody/cache"
	"custody/model"
	"custody/model/llama"
)

// A transformer computes a row of a batch: it writes the row's keys and values to the blocks of its table, and samples the
// token behind the last position.
func Example() {
	arch := llama.Small()
	tr, err := llama.New(llama.RandomWeights(arch, 1))
	if err != nil {
		fmt.Println(err)
		return
	}
	row := model.Row{Sample: true, Used: cache.Used{
		N: 3, Input: model.AppendText([]cache.Token{model.BOS}, "hi"), Table: []cache.BlockID{0},
	}}
	batch := model.Batch{Op: 1, Rows: []model.Row{row}}
	tr.Forward(&batch, cache.NewMemory(arch.Layout(1, 4)))
	fmt.Println(len(batch.Rows[0].Next))
	// Output: 1
}
