// Package cache is the paged KV cache: a pool of blocks with reference counts, a block table for every request,
// the KV memory that the blocks stand for, and an index that finds finished blocks again by their content.
//
//	request ──table──▶ block 7, block 2, block 9      refs: how many tables hold a block
//	                      │                           entry: what its content is filed under
//	                      ▼
//	memory  [block][layer][K,V][slot][head][dim]
//
// A block is free when no table holds it; a free block may still have an entry and be found again until it is
// handed out. The package is the lowest of the engine: it imports nothing of ours, never looks at a clock, and
// every method does all that it says or nothing.
package cache

// Token is an index into the vocabulary.
type Token int32

// BlockID is an index into the pool; None is no block.
type BlockID int32

// None is no block.
const None BlockID = -1

// OpID numbers the operations that touch KV memory, in the order of their issue; 0 is no operation.
type OpID uint32

// Queue orders operations: those of one queue touch memory in the order of issue, those of two queues in any order.
type Queue uint8

// The queues of a worker.
const (
	PassQueue Queue = iota // batches given to the model
	CopyQueue              // asynchronous copies
	NumQueues
)

// Req is one life of a request: a slot of the engine's request table and the slot's generation.
// Preemption, refusal and reuse of the slot raise Gen, so a late message about an earlier life can be told apart.
type Req struct {
	Slot int32
	Gen  uint32
}

// Identity is all that KV depends on beside the tokens. It is compared and hashed field by field, never joined as text.
type Identity struct {
	Domain  uint32 // the isolation domain: who may share
	Adapter uint32 // the weights that were added to the base model
	Epoch   uint32 // the version of the weights
	Layout  uint32 // a digest of the layout fields
}

// Sampling is how a request's output tokens are drawn. The zero value takes the likeliest.
type Sampling struct {
	Seed uint64
	Temp float32 // of the softmax; 0 takes the likeliest token
	TopP float32 // keeps the fewest tokens that have this share of the probability; 0 keeps all
	TopK int32   // keeps this many of the likeliest tokens; 0 keeps all
}

// Run is the positions [Lo,Hi) of a request, found through a block table.
type Run struct {
	Table  []BlockID
	Lo, Hi int32
}

// Copy is a whole block's content, written into another block.
type Copy struct {
	From, To BlockID
}

// BlockKind is what happened to a block.
type BlockKind uint8

// What happens to blocks. The request is the one whose table is meant, where there is one.
const (
	Alloc     BlockKind = iota // taken off the free list for a table
	Adopt                      // found by content and added to a table
	Drop                       // a table's reference ended
	Freed                      // put on the free list, after the last reference
	Publish                    // can be found by content from now on
	Unpublish                  // cannot be found any more
	Poison                     // overwritten, having lost both references and entry
)

// TouchKind is the direction of an access.
type TouchKind uint8

// Accesses.
const (
	Read TouchKind = iota
	Write

	// AllLayers stands in the place of a layer: all of them are reported at once. In which order the rows of a pass came by each
	// of them is then not told.
	AllLayers = -1
)

// OpKind is a moment in the life of an operation.
type OpKind uint8

// The moments of an operation.
const (
	Issued   OpKind = iota // its inputs are fixed
	Finished               // it has touched memory
	Settled                // the scheduler has taken its result in
	Lost                   // it will never touch memory (again)
)

// RowKind is what happened to a worker's row.
type RowKind uint8

// What happens to rows.
const (
	Bound RowKind = iota
	Cleared
)

// TryKind is a moment of an attempt that may fail on the way. One ends before the next begins.
type TryKind uint8

// The moments of an attempt.
const (
	Admitting TryKind = iota // begun: to give a request its first blocks
	Growing                  // begun: to give it more
	Committed
	Failed // everything is as it was, the order of the free list aside
)

// LifeKind is what happened to a request, in words that every engine has.
type LifeKind uint8

// What happens to requests. A request waits, perhaps while an operation fills one of its blocks, until it runs.
const (
	Accepted   LifeKind = iota // at the door: it waits, and holds nothing
	Loading                    // it has blocks, and no row yet: an operation is to fill one of them
	Loaded                     // that operation has settled
	Running                    // it has a row, and blocks
	Advanced                   // more of it has settled: a chunk of its prompt, or a token (it may wait again by then)
	LostBlocks                 // blocks and row are taken away: the life ends, and the request waits in its next one
	Ended                      // for good; by ByStop and ByLength with a last token, which settles in this moment
)

// Cause is why something happened to a request.
type Cause uint8

// The causes.
const (
	NoCause   Cause = iota
	ByChunk         // of an advance: a part of the prompt
	ByToken         // of an advance: an output token
	ByStop          // its end-of-sequence token
	ByLength        // its last allowed token
	ByCancel        // the client went away
	ByPreempt       // its blocks are needed elsewhere
	ByRefusal       // the worker refused it
	ByLoss          // an operation that carried it failed
)

// Used is a batch row as a pass uses it.
type Used struct {
	Op       OpID
	Row      int32 // the worker's row
	Req      Req
	ID       Identity
	Start, N int32   // positions [Start,Start+N) are computed
	Input    []Token // their N tokens
	Table    []BlockID
	Sampling Sampling
}

// Observer is told what happens to KV memory and to requests, as it happens. A nil Observer leaves the engine unchanged.
// Slices belong to the caller and are only valid during the call.
type Observer interface {
	Block(k BlockKind, r Req, b BlockID, op OpID)          // op: for Publish, the pass that is still to write it, or 0
	Touch(k TouchKind, op OpID, r Req, layer int, run Run) // the address used is the address reported; layer: or AllLayers
	CopyBlock(op OpID, c Copy)                             // all layers of a block, at once
	Op(k OpKind, op OpID, q Queue)
	Planned(op OpID, r Req, run Run)            // at issue: the pass will read [0,Hi) and write [Lo,Hi)
	PlannedCopy(op OpID, r Req, c Copy)         // at issue: the copy will read From and write To
	Use(u *Used)                                // at finish: what the pass computes with
	Sampled(op OpID, r Req, pos int32, t Token) // the token for position pos
	Row(k RowKind, row int32, r Req)
	Life(r Req, k LifeKind, why Cause)
	Count(r Req, settled int32) // positions that the scheduler takes as valid
	Try(k TryKind, r Req)
}
