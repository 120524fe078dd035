package engine

import (
	"custody/cache"
	"custody/model"
	"custody/scheduler/protocol"
	"custody/traces"
)

// Setup is what an engine is told at the beginning of a run.
type Setup struct {
	Config   traces.Config // of the script's header
	Quotas   []int32       // by tenant: live requests; 0 is no limit
	Layout   cache.Layout  // of the KV memory
	Memory   *cache.Memory
	NoWorker bool // the handshake failed: nothing can run

	// Veto is asked before a block is handed out for an entry of a request's table, when so many blocks have been set aside
	// for it in the same attempt. If it says yes the attempt fails. An engine that never asks cannot be made to fail there.
	Veto func(r cache.Req, entry, aside int32) bool
}

// WorkerSetup is what a worker is made with.
type WorkerSetup struct {
	Config   traces.Config // of the script's header, with what its worker line sets otherwise
	Layout   cache.Layout  // of the KV memory
	LayoutID uint32        // a digest of the worker's own layout fields
	Live     protocol.Live // as the engine claims
	Memory   *cache.Memory
	Model    model.Model

	// Veto is asked for each row of a plan that the worker has a place for, and may refuse it.
	Veto func(*protocol.Row) (protocol.Refusal, bool)
}

// Claims are what an engine says of itself. The world believes them; the promises hold it to them.
type Claims struct {
	Slots  int32         // of its request table: the slots of all requests are below
	Depth  int32         // passes that it may have outstanding
	Live   protocol.Live // what it may change of a row while a pass is outstanding
	Queues int           // on which it issues operations: 1, or 2 if copies go beside the passes
	Facts  bool          // Attach reports; else a witness derives what it can from plans and outputs
}
