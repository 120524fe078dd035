package engine

import (
	"errors"

	"custody/cache"
	"custody/scheduler"
	"custody/scheduler/protocol"
)

// What only some engines and workers can do. A script's line that asks for more than they can is a recorded no-op.

// Preempter is an engine that can be made to take a request's blocks away.
type Preempter interface {
	Preempt(cache.Req) bool // false if the request holds nothing
}

// ErrRefusing says that a worker could refuse what its engine plans, and the engine takes no refusals.
var ErrRefusing = errors.New("the worker's limits are below those of an engine that takes no refusals")

// Refusable is an engine whose worker may refuse rows.
type Refusable interface {
	Refused(cache.OpID, []protocol.Refusal)
}

// Loser is an engine that survives the loss of an operation. A lost pass takes all later passes with it.
type Loser interface {
	Lost(cache.OpID, cache.Queue)
}

// Cloner is an engine that can be copied. Dst is of the same type and has been told the same setup.
type Cloner interface {
	CloneInto(dst Engine)
}

// WorkerCloner is a worker that can be copied.
type WorkerCloner interface {
	CloneInto(dst Worker)
}

// Looker is an engine that shows its own books. Frames and marks need it; no promise does.
type Looker interface {
	Queues() (waiting, running []int32) // slots, in order; valid until the next change
	FreeBlocks(dst []cache.BlockID) []cache.BlockID
	Progress(slot int32) (planned, settled int32) // positions
	Books() Books
}

// Books are an engine's own counts.
type Books struct {
	Free, Blocks, Entries int32 // blocks on the free list, blocks in all, blocks that can be found by content
	Collisions            int64 // entries of other content that lookups have met under their key
	Queried, Hit          int64 // positions that first admissions have looked up, and of these found
}

// WorkerLooker is a worker that shows its rows.
type WorkerLooker interface {
	Rows() int
	Row(i int32) (computed int32, table []cache.BlockID)
}

// Streamer is an engine that announces what its prefix cache stores and forgets, for routers outside.
type Streamer interface {
	AttachStream(cache.Stream)
}

// Lifecycled is an engine that tells each transition of its own lifecycle, as scheduler.Lifecycle has it.
type Lifecycled interface {
	WatchLifecycle(func(life cache.Req, t scheduler.Transition))
}

// Canonical is an engine, or a worker, that can write its state down so that states with the same future become the same
// words. The engine comes first: it knows the order in which requests are to be named.
type Canonical interface {
	Canon(*cache.Canon)
}
