package worker_test

import (
	"fmt"

	"custody/cache"
	"custody/model"
	"custody/model/worker"
	"custody/scheduler/protocol"
)

// A plan binds a row and computes its prompt. The next one only says what has been added: a token that the first pass has
// yet to sample.
func Example() {
	layout := cache.Layout{Blocks: 2, Layers: model.HashLayers, BlockTokens: 4, TokenWords: 1}
	limits := worker.Limits{Rows: 1, Budget: 8, MaxLen: 8}
	w := worker.New(worker.Config{Limits: limits, Layout: layout}, model.NewHash(256), cache.NewMemory(layout))

	prompt := protocol.Row{
		New: true, N: 3, Tokens: []protocol.TokenRef{{Token: 1}, {Token: 2}, {Token: 3}}, Blocks: []cache.BlockID{0}, Sample: true,
	}
	w.Issue(&protocol.Plan{Op: 1, Rows: []protocol.Row{prompt}})
	next := protocol.Row{Start: 3, N: 1, Tokens: []protocol.TokenRef{{Op: 1}}, Sample: true}
	w.Issue(&protocol.Plan{Op: 2, Rows: []protocol.Row{next}})

	var result protocol.Result
	for op := cache.OpID(1); op <= 2; op++ {
		finished := w.Finish(op, &result)
		fmt.Println(finished, len(result.Rows[0].Tokens))
	}
	// Output:
	// true 1
	// true 1
}
