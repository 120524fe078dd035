package cache

import (
	"errors"
	"fmt"
)

// Why a call changed nothing.
var (
	ErrNoBlocks    = errors.New("cache: not enough free blocks")
	ErrAllocFailed = errors.New("cache: a block allocation failed") // on the way: see Config.Veto
	ErrInUse       = errors.New("cache: blocks are in use")         // held, or about to be returned
)

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

	// Veto is asked before something happens to a block that may fail; true makes it fail. Nil is never. Alloc: before a block
	// is handed out for an entry of a request's table, when so many blocks have been set aside for the same call.
	Veto func(k BlockKind, r Req, entry, aside int32) bool
}

// Pool hands out blocks. It owns the tables, the reference counts, the free list and the prefix index.
// Every method does all that it says or nothing.
type Pool struct {
	cfg       Config
	mem       *Memory
	watch     watchers
	refs      []int32
	free      freeList
	returning returning
	tables    tables
	index     index
	unwritten unwritten
	filed     []int32  // by slot: leading blocks that need no publishing any more
	chain     []uint64 // by slot: chain key of the filed blocks
}

// NewPool returns a pool over mem with all blocks free.
func NewPool(cfg Config, mem *Memory) *Pool {
	n, block := cfg.Layout.Blocks, cfg.Layout.BlockTokens
	stride := (cfg.MaxLen+block-1)/block + 1 // one more: the source of a tail copy
	return &Pool{
		cfg: cfg, mem: mem, refs: make([]int32, n), free: newFreeList(n, cfg.Order, cfg.Seed), returning: newReturning(n),
		tables: newTables(cfg.Reqs, stride), index: newIndex(n, block, cfg.KeyBits), unwritten: make(unwritten, 0, n),
		filed: make([]int32, cfg.Reqs), chain: make([]uint64, cfg.Reqs),
	}
}

// Reset returns the pool to its first state; the memory is not touched.
func (p *Pool) Reset() {
	clear(p.refs)
	p.free.reset()
	p.returning.reset()
	p.tables.reset()
	p.index.reset()
	p.unwritten = p.unwritten[:0]
	clear(p.filed)
	clear(p.chain)
}

// BlocksFor is the number of blocks that hold so many positions.
func (p *Pool) BlocksFor(tokens int32) int32 {
	return (tokens + p.cfg.Layout.BlockTokens - 1) / p.cfg.Layout.BlockTokens
}

// Blocks is the size of the pool.
func (p *Pool) Blocks() int32 { return p.cfg.Layout.Blocks }

// Prefix tells whether published blocks can be found again.
func (p *Pool) Prefix() bool { return p.cfg.Prefix }

// Free is the number of blocks on the free list.
func (p *Pool) Free() int32 { return p.free.len }

// Deferred is the number of blocks that will be free when outstanding operations have settled.
func (p *Pool) Deferred() int32 { return p.returning.coming(p.refs) }

// Table is the request's block table; valid until the request's next change.
func (p *Pool) Table(r Req) []BlockID { return p.tables.of(r.Slot) }

// Look tells how many tables (and releases still to come) hold the block, and whether it can be found by content.
func (p *Pool) Look(b BlockID) (refs int32, published bool) { return p.refs[b], p.index.published[b] }

// Entries is the number of published blocks.
func (p *Pool) Entries() int32 { return p.index.count }

// Collisions is how many entries of other content lookups have met under their key, and passed over.
func (p *Pool) Collisions() int64 { return p.index.passed }

// FreeBlocks appends the free blocks to dst, the next to be handed out first.
func (p *Pool) FreeBlocks(dst []BlockID) []BlockID { return p.free.appendTo(dst) }

// Admit gives a request that holds nothing the blocks of a hit and fresh blocks for the rest of its first `tokens`
// positions. It is refused unless blocks for `reserve` positions could be handed out now.
func (p *Pool) Admit(r Req, h *Hit, tokens, reserve int32) error {
	p.watch.try(Admitting, r)
	return p.watch.tried(p.admit(r, h, tokens, reserve), r)
}

func (p *Pool) admit(r Req, h *Hit, tokens, reserve int32) error {
	if p.tables.used[r.Slot] != 0 {
		panic(fmt.Sprintf("cache: admit: slot %d holds %d blocks", r.Slot, p.tables.used[r.Slot]))
	}
	if !p.Fits(h, max(tokens, reserve)) {
		return ErrNoBlocks
	}
	p.filed[r.Slot], p.chain[r.Slot] = int32(len(h.Blocks)), h.chain
	for _, b := range h.Blocks {
		p.hold(b)
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
		p.adopt(r, h.Tail)
	}
	return nil
}

// Fits tells whether a request with the hit could be given blocks for its first `tokens` positions now.
func (p *Pool) Fits(h *Hit, tokens int32) bool {
	return p.BlocksFor(tokens)-int32(len(h.Blocks))+p.free.idle(h) <= p.free.len
}

// unwind takes back what a failed Admit did.
func (p *Pool) unwind(r Req, h *Hit) {
	if h.Tail != None {
		p.adopt(r, h.Tail)
	}
	p.Release(r, 0)
}

// Grow adds blocks until the table covers `tokens` positions.
func (p *Pool) Grow(r Req, tokens int32) error {
	want := p.BlocksFor(tokens)
	if want <= p.tables.used[r.Slot] {
		return nil
	}
	if want-p.tables.used[r.Slot] > p.free.len {
		return ErrNoBlocks
	}
	p.watch.try(Growing, r)
	return p.watch.tried(p.extend(r, want), r)
}

// extend allocates until the table has `want` blocks, or leaves everything as it was: blocks are first set aside, and
// only when all are there do the entries that they still have end. Those set aside go back to where they stood.
func (p *Pool) extend(r Req, want int32) error {
	used := &p.tables.used[r.Slot]
	had := *used
	for *used < want {
		if p.cfg.Veto != nil && p.cfg.Veto(Alloc, r, *used, *used-had) {
			for *used > had {
				p.free.pushFront(p.tables.pop(r.Slot))
			}
			return ErrAllocFailed
		}
		p.tables.push(r.Slot, p.free.pop())
	}
	for _, b := range p.Table(r)[min(had, *used):] {
		p.claim(r, b)
	}
	return nil
}

// claim takes a block into use. An entry that it still has ends here (lazy eviction).
func (p *Pool) claim(r Req, b BlockID) {
	if p.index.published[b] {
		p.unpublish(b)
		p.wipe(b)
	}
	p.refs[b] = 1
	p.watch.block(Alloc, r, b, 0)
}

// DropTail gives back the source of a finished tail copy, which stands behind the blocks of the `tokens` positions.
func (p *Pool) DropTail(r Req, tokens int32) {
	for keep := p.BlocksFor(tokens); p.tables.used[r.Slot] > keep; {
		p.drop(r, p.tables.pop(r.Slot), 0)
	}
}

// adopt puts a held block into a table.
func (p *Pool) adopt(r Req, b BlockID) {
	p.tables.push(r.Slot, b)
	p.watch.block(Adopt, r, b, 0)
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
	p.returning.cloneInto(&dst.returning)
	p.tables.cloneInto(&dst.tables)
	p.index.cloneInto(&dst.index)
	dst.unwritten = append(dst.unwritten[:0], p.unwritten...)
	copy(dst.filed, p.filed)
	copy(dst.chain, p.chain)
}
