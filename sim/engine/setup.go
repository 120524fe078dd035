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

	Settings []traces.Setting // of the script's engine line, in its order

	// Veto is asked before something happens to a block that may fail: cache.Alloc, before one is handed out for an entry of a
	// request's table, when so many have been set aside for it in the same attempt. If it says yes the attempt fails. An engine
	// that never asks cannot be made to fail there.
	Veto func(k cache.BlockKind, r cache.Req, entry, aside int32) bool
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

	// Name is what a script's engine line calls it, and Settings are the keys that it may set there. Without a name it runs
	// only scripts that name none.
	Name     string
	Settings []string

	// Can are the verbs that mean something to it: of reset, preempt, refuse, fail alloc, fail pass and fail copy. Most take
	// an ability, too: see Preempter and its like. The lines of others are recorded no-ops.
	Can []traces.Verb
	// Door are the refusals that it makes itself; the world makes the others of the admission table in its place, as a front
	// end would. Nil: it makes all.
	Door []protocol.Reason
	// Deaf tells that it hears nothing but cancellations while Depth passes are outstanding. A line that is not heard waits,
	// and the world goes on, until it is.
	Deaf bool

	NullBlocks int32 // blocks that it never gives to anybody

	// Facts tells that Attach reports what happens. If not, a witness derives what it can from plans, results and outputs,
	// and what its promises need beyond that stays unchecked.
	Facts   bool
	Publish Publication // for the witness: when a full block can be found by others
	Release Release     // for the witness: when the blocks of an ended life may be given to others
}

// Publication says when a full block can be found by others.
type Publication uint8

// The publications.
const (
	PublishUnsaid  Publication = iota // it does not say: nobody can tell whether what was found was there to be found
	PublishNever                      // there is no prefix cache
	PublishSettled                    // when the pass that computes it has settled
	PublishPlanned                    // when that pass is planned, and no more if it does not happen
)

// Release says when the blocks of an ended life may be given to others.
type Release uint8

// The releases.
const (
	ReleaseAtOnce  Release = iota // right only while all that touch them do so on one queue
	ReleaseSettled                // when the last operation that carries the life has settled
)
