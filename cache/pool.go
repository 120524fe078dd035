package cache

import (
	"errors"
	"fmt"
)

// ErrNoBlocks says that the pool has not enough free blocks; the call changed nothing.
var ErrNoBlocks = errors.New("cache: not enough free blocks")

// ErrAllocFailed says that an allocation failed on the way (Config.Veto); the call changed nothing.
var ErrAllocFailed = errors.New("cache: a block allocation failed")

// ErrInUse says that the prefix cache cannot be reset while a block is held or about to be returned.
var ErrInUse = errors.New("cache: blocks are in use")

// ReleasePolicy says when the blocks of an ended request may be handed out again.
type ReleasePolicy uint8

// The release policies.
const (
	ReleaseSettled ReleasePolicy = iota // when the last operation that names them has settled
	ReleaseOrdered                      // at once (vLLM): right only while every later toucher is on the same queue
)

// Config fixes a pool.
type Config struct {
	Layout  Layout
	Reqs    int32 // slots of the engine's request table
	MaxLen  int32 // tokens a request
	Prefix  bool  // find published blocks again
	KeyBits int   // width of a prefix key, 0 to 64
	Order   FreeOrder
	Seed    uint64 // key of FreeRandom's coin
	Release ReleasePolicy

	// Veto is asked before a block is handed out for an entry of a request's table, when so many blocks have been set aside
	// for the same call; true makes the allocation fail. Nil is never.
	Veto func(r Req, entry, aside int32) bool
}

// Pool hands out blocks. It owns the tables, the reference counts, the free list and the prefix index.
// Every method does all that it says or nothing.
type Pool struct {
	cfg    Config
	mem    *Memory
	obs    Observer
	stream Stream
	refs   []int32
	free   freeList
	index  index
	stride int32     // blocks of the longest table
	tables []BlockID // [slot][stride]
	used   []int32   // by slot: blocks in the table
	filed  []int32   // by slot: leading blocks that need no publishing any more
	chain  []uint64  // by slot: chain key of the filed blocks

	busy     []OpID // by block, ReleaseOrdered: an outstanding pass may still touch it although it is free
	settled  OpID   // ReleaseOrdered: passes up to this one have settled
	deferred []deferral
	pending  []pledge
	frees    []uint32 // by block: how often it was freed
}

// deferral is a block that waits for an operation to settle: to be dropped, or (already free) only to be poisoned.
type deferral struct {
	block  BlockID
	after  OpID
	req    Req
	poison bool
}

// pledge is an entry that was published before its content was written.
type pledge struct {
	block BlockID
	op    OpID
	req   Req
}

// NewPool returns a pool over mem with all blocks free.
func NewPool(cfg Config, mem *Memory) *Pool {
	n, block := cfg.Layout.Blocks, cfg.Layout.BlockTokens
	stride := (cfg.MaxLen+block-1)/block + 1 // one more: the source of a tail copy
	p := &Pool{
		cfg: cfg, mem: mem, stride: stride, refs: make([]int32, n), free: newFreeList(n),
		index: newIndex(n, block, cfg.KeyBits), tables: make([]BlockID, cfg.Reqs*stride),
		used: make([]int32, cfg.Reqs), filed: make([]int32, cfg.Reqs), chain: make([]uint64, cfg.Reqs),
		busy: make([]OpID, n), frees: make([]uint32, n), deferred: make([]deferral, 0, n), pending: make([]pledge, 0, n),
	}
	return p
}

// Reset returns the pool to its first state; the memory is not touched.
func (p *Pool) Reset() {
	clear(p.refs)
	p.free.reset()
	p.index.reset()
	clear(p.tables)
	clear(p.used)
	clear(p.filed)
	clear(p.chain)
	clear(p.busy)
	p.settled = 0
	clear(p.frees)
	p.deferred, p.pending = p.deferred[:0], p.pending[:0]
}

// Attach sets the observer of the pool; nil detaches it.
func (p *Pool) Attach(o Observer) { p.obs = o }

func (p *Pool) report(k BlockKind, r Req, b BlockID, op OpID) {
	if p.obs != nil {
		p.obs.Block(k, r, b, op)
	}
}

// BlocksFor is the number of blocks that hold so many positions.
func (p *Pool) BlocksFor(tokens int32) int32 {
	return (tokens + p.cfg.Layout.BlockTokens - 1) / p.cfg.Layout.BlockTokens
}

// Blocks is the size of the pool.
func (p *Pool) Blocks() int32 { return p.cfg.Layout.Blocks }

// Free is the number of blocks on the free list.
func (p *Pool) Free() int32 { return p.free.len }

// Deferred is the number of blocks that will be free when outstanding operations have settled.
func (p *Pool) Deferred() int32 {
	n := int32(0)
	for i := range p.deferred {
		if b := p.deferred[i].block; p.leaving(p.deferred[:i+1], b) == p.refs[b] && !p.deferred[i].poison {
			n++
		}
	}
	return n
}

// leaving is the number of references to the block that the deferrals end.
func (p *Pool) leaving(list []deferral, b BlockID) int32 {
	n := int32(0)
	for i := range list {
		if list[i].block == b && !list[i].poison {
			n++
		}
	}
	return n
}

// Table is the request's block table; valid until the request's next change.
func (p *Pool) Table(r Req) []BlockID {
	at := r.Slot * p.stride
	return p.tables[at : at+p.used[r.Slot] : at+p.stride]
}

// Refs is the number of tables (and of releases still to come) that hold the block.
func (p *Pool) Refs(b BlockID) int32 { return p.refs[b] }

// Published tells whether the block can be found by content.
func (p *Pool) Published(b BlockID) bool { return p.index.published[b] }

// Entries is the number of published blocks.
func (p *Pool) Entries() int32 { return p.index.count }

// Collisions is how many entries of other content lookups have met under their key, and passed over.
func (p *Pool) Collisions() int64 { return p.index.passed }

// FreeBlocks appends the free blocks to dst, the next to be handed out first.
func (p *Pool) FreeBlocks(dst []BlockID) []BlockID { return p.free.appendTo(dst) }

// Admit gives a request that holds nothing the blocks of a hit and fresh blocks for the rest of its first `tokens`
// positions. It is refused unless blocks for `reserve` positions could be handed out now.
func (p *Pool) Admit(r Req, h *Hit, tokens, reserve int32) error {
	p.try(Begun, TryAdmit, r)
	return p.tried(p.admit(r, h, tokens, reserve), TryAdmit, r)
}

// tried reports how an attempt ended.
func (p *Pool) tried(err error, what TryWhat, r Req) error {
	if err == nil {
		p.try(Committed, what, r)
	} else {
		p.try(Failed, what, r)
	}
	return err
}

func (p *Pool) try(k TryKind, what TryWhat, r Req) {
	if p.obs != nil {
		p.obs.Try(k, what, r)
	}
}

func (p *Pool) admit(r Req, h *Hit, tokens, reserve int32) error {
	if p.used[r.Slot] != 0 {
		panic(fmt.Sprintf("cache: admit: slot %d holds %d blocks", r.Slot, p.used[r.Slot]))
	}
	if !p.Fits(h, max(tokens, reserve)) {
		return ErrNoBlocks
	}
	p.filed[r.Slot], p.chain[r.Slot] = int32(len(h.Blocks)), h.chain
	for _, b := range h.Blocks {
		p.adopt(r, b)
	}
	if h.Tail != None { // held before anything is handed out, so that it cannot be what is handed out
		p.hold(h.Tail)
	}
	if err := p.extend(r, p.BlocksFor(tokens)); err != nil {
		p.unwind(r, h)
		return err
	}
	if h.Tail != None {
		p.push(r, h.Tail)
		p.report(Adopt, r, h.Tail, 0)
	}
	return nil
}

// Fits tells whether a request with the hit could be given blocks for its first `tokens` positions now.
func (p *Pool) Fits(h *Hit, tokens int32) bool {
	return p.BlocksFor(tokens)-int32(len(h.Blocks))+p.idle(h) <= p.free.len
}

// idle is the number of the hit's blocks that are on the free list: adopting them uses them up.
func (p *Pool) idle(h *Hit) int32 {
	n := int32(0)
	for _, b := range h.Blocks {
		if p.free.has(b) {
			n++
		}
	}
	if h.Tail != None && p.free.has(h.Tail) {
		n++
	}
	return n
}

// unwind takes back what a failed Admit did.
func (p *Pool) unwind(r Req, h *Hit) {
	if h.Tail != None {
		p.push(r, h.Tail)
		p.report(Adopt, r, h.Tail, 0)
	}
	p.release(r, 0)
}

// Grow adds blocks until the table covers `tokens` positions.
func (p *Pool) Grow(r Req, tokens int32) error {
	want := p.BlocksFor(tokens)
	if want <= p.used[r.Slot] {
		return nil
	}
	if want-p.used[r.Slot] > p.free.len {
		return ErrNoBlocks
	}
	p.try(Begun, TryGrow, r)
	return p.tried(p.extend(r, want), TryGrow, r)
}

// extend allocates until the table has `want` blocks, or leaves everything as it was: blocks are first set aside, and
// only when all are there do the entries that they still have end.
func (p *Pool) extend(r Req, want int32) error {
	had := p.used[r.Slot]
	for p.used[r.Slot] < want {
		if p.cfg.Veto != nil && p.cfg.Veto(r, p.used[r.Slot], p.used[r.Slot]-had) {
			p.putBack(r, had)
			return ErrAllocFailed
		}
		p.push(r, p.free.pop())
	}
	for _, b := range p.Table(r)[min(had, p.used[r.Slot]):] {
		p.claim(r, b)
	}
	return nil
}

// putBack returns the blocks behind the first `keep`, none of which has been claimed, to where they stood.
func (p *Pool) putBack(r Req, keep int32) {
	for p.used[r.Slot] > keep {
		p.free.pushFront(p.popTable(r))
	}
}

// claim takes a block into use. An entry that it still has ends here (lazy eviction).
func (p *Pool) claim(r Req, b BlockID) {
	if p.index.published[b] {
		p.unpublish(b)
		p.wipe(b)
	}
	p.refs[b] = 1
	p.report(Alloc, r, b, 0)
}

// DropTail gives back the source of a finished tail copy, which stands behind the blocks of the `tokens` positions.
func (p *Pool) DropTail(r Req, tokens int32) {
	for keep := p.BlocksFor(tokens); p.used[r.Slot] > keep; {
		p.drop(r, p.popTable(r), 0)
	}
}

func (p *Pool) push(r Req, b BlockID) {
	p.tables[r.Slot*p.stride+p.used[r.Slot]] = b
	p.used[r.Slot]++
}

func (p *Pool) popTable(r Req) BlockID {
	p.used[r.Slot]--
	return p.tables[r.Slot*p.stride+p.used[r.Slot]]
}

func (p *Pool) adopt(r Req, b BlockID) {
	p.hold(b)
	p.push(r, b)
	p.report(Adopt, r, b, 0)
}

func (p *Pool) hold(b BlockID) {
	if p.refs[b] == 0 {
		p.free.remove(b)
	}
	p.refs[b]++
}

// CloneInto copies the state into dst, a pool of the same configuration.
func (p *Pool) CloneInto(dst *Pool) {
	copy(dst.refs, p.refs)
	p.free.cloneInto(&dst.free)
	p.index.cloneInto(&dst.index)
	copy(dst.tables, p.tables)
	copy(dst.used, p.used)
	copy(dst.filed, p.filed)
	copy(dst.chain, p.chain)
	copy(dst.busy, p.busy)
	dst.settled = p.settled
	copy(dst.frees, p.frees)
	dst.deferred = append(dst.deferred[:0], p.deferred...)
	dst.pending = append(dst.pending[:0], p.pending...)
}
