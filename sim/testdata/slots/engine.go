// Package slots is the scheduler and cache manager of a small inference server. A request gets one contiguous region of KV
// memory for all that it may become. Requests are served in batches: those of one batch are admitted together, and the next
// batch begins when all of them have ended. Nothing is shared and nothing is kept.
package slots

import (
	"fmt"
	"strconv"

	"custody/cache"
	"custody/scheduler/protocol"
	"custody/sim/engine"
	"custody/traces"
)

// Engine is the scheduler.
type Engine struct {
	Hasty bool // the defect: a batch counts as over one pass too early

	limits
	table  []request         // of all that the engine knows of
	queue  []int32           // who waits, in the order of arrival
	batch  []int32           // who was admitted together
	given  cache.BlockID     // the batch's regions are below
	flight []cache.Req       // who is in the outstanding pass
	passes cache.OpID        // so far
	ended  []cache.Req       // whose rows the worker has yet to clear
	out    []protocol.Output // for clients
}

// limits are what the server was started with.
type limits struct {
	batchSize             int // requests in a batch
	blocks, size          int32
	budget, chunk, maxLen int32
}

// Hello implements engine.Engine.
func (e *Engine) Hello(s engine.Setup) (engine.Claims, error) {
	c := &s.Config
	rows := c[traces.Rows]
	*e = Engine{Hasty: e.Hasty, limits: limits{
		batchSize: int(rows), blocks: s.Layout.Blocks, size: s.Layout.BlockTokens,
		budget: int32(c[traces.Budget]), chunk: int32(c[traces.Chunk]), maxLen: int32(c[traces.MaxLen]),
	}}
	for _, set := range s.Settings { // engine slots batch=2
		n, err := strconv.Atoi(set.Value)
		if err != nil || n < 1 {
			return engine.Claims{}, fmt.Errorf("slots: %s=%s: expected a number from 1", set.Key, set.Value)
		}
		e.batchSize = min(e.batchSize, n)
	}
	e.table = make([]request, c[traces.Queue]+2*rows)
	return engine.Claims{
		Name: "slots", Settings: []string{"batch"},
		Slots: int32(len(e.table)), Depth: 1, Queues: 1,
		Publish: engine.PublishNever,   // nothing is ever found by content
		Release: engine.ReleaseSettled, // a region is given away when no pass is outstanding
		Door:    []protocol.Reason{},   // it turns nobody away: its front end does
	}, nil
}
