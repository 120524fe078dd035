// Package invariants watches an engine and says which promise it breaks.
//
//	engine ──Observer──▶ Ledger ──▶ promises ──▶ breaches
//	client ──Submitted, Delivered, Told──▶ ┘
//
// The ledger believes only the accesses that it saw: the memory accessor reports the addresses that it hands out. What a
// request's tokens, identity and limits are, it knows from the client's side, never from the scheduler's list. What a
// slot should hold it derives with its own code. It never asks the allocator what is free.
//
// There is one file for each promise. What they decide by is in blocks.go, slots.go, writers.go, operations.go, life.go
// and client.go. A step's checks touch what the step touched; Audit is the full check.
package invariants

import "custody/cache"

// Config says what the ledger watches. Limits are those that clients were told.
type Config struct {
	Blocks, BlockTokens, Layers int32
	Slots                       int32 // of the engine's request table
	Rows                        int32 // of the worker
	MaxLen, MaxQueue, Vocab     int32
	Budget, MaxRows             int32           // of the scheduler: tokens a pass, running requests
	Prefix                      bool            // the prefix cache is on
	Policy                      Policy          // of the queue
	Quotas                      []int32         // by tenant
	Markers                     [][]cache.Token // by tenant: what no other tenant may be told; may be shorter, and hold nil
	TwoQueues                   bool            // operations may be issued on more than one queue
	Stricter                    bool            // a limit of the worker is below the scheduler's: it may refuse
	NoWorker                    bool            // the handshake failed
	Layouts                     [][]int64       // of all parties to the KV: the layout fields, in one order
	Alone                       Alone           // what a request gets alone; nil: the hash model's answer, which the ledger follows itself
}

// Ledger implements cache.Observer. Its state is flat; slots of the request table index everything about requests.
type Ledger struct {
	cfg         Config
	slots       []slot // [layer][block][slot]
	runs        []run  // [layer][block]
	blocks      []block
	lives       []life
	tables      []hold // [slot][stride]
	stride      int32
	clients     []client
	authors     uint32        // submissions so far
	writers     []writer      // by number, modulo knownWriters
	written     uint32        // lives so far
	tokens      []cache.Token // [client][MaxLen]: what was submitted and what must follow
	seen        []cache.Token // [client][MaxLen]: what the model sampled
	heard       []cache.Token // [client][MaxLen]: prompt, and what the client was told; only if a tenant has a marker
	marked      bool          // one has
	tags        []uint64      // [client][MaxLen]
	rows        []cache.Req   // by worker row: who is bound
	bound       []bool
	ops         []operation
	issued      cache.OpID
	done        [cache.NumQueues]cache.OpID // operations up to this one are settled or lost
	queued      int32                       // requests waiting
	offered     int32                       // the client whose submission the engine is looking at
	tenants     []int32                     // by tenant: live requests
	scratch     []int32                     // by block
	attempt     attempt
	filed       filing
	mirror      Consumer
	expectedHit int32   // blocks that the present admission must be given
	line        []int32 // slots of waiting requests, in the order in which they must be admitted
	running     []int32 // slots of requests with a row, in the order of admission
	forced      bool    // this step's preemptions follow no rule
	foreign     bool    // the parties' layouts differ
	leaving     int32   // references of lives that have ended, until they are dropped
	marks       [NumMarks]bool
	rowOf       []uint64 // by worker row: the domain that it was last bound for, plus one; 0: none yet

	step  int64
	event uint8
	verdict
	extra []Promise
}

// NewLedger returns a ledger that has seen nothing.
func NewLedger(cfg Config, extra []Promise) *Ledger {
	stride := (cfg.MaxLen+cfg.BlockTokens-1)/cfg.BlockTokens + 1
	l := &Ledger{
		cfg: cfg, stride: stride, extra: extra, foreign: !agree(cfg.Layouts), marked: marked(cfg.Markers),
		slots: make([]slot, cfg.Layers*cfg.Blocks*cfg.BlockTokens), runs: make([]run, cfg.Layers*cfg.Blocks),
		blocks: make([]block, cfg.Blocks), lives: make([]life, cfg.Slots), tables: make([]hold, cfg.Slots*stride),
		rows: make([]cache.Req, cfg.Rows), bound: make([]bool, cfg.Rows), rowOf: make([]uint64, cfg.Rows), tenants: make([]int32, len(cfg.Quotas)),
		scratch: make([]int32, cfg.Blocks), filed: newFiling(cfg.Blocks), mirror: *NewConsumer(cfg.Blocks),
	}
	l.verdict.init(extra)
	for _, p := range extra {
		p.Reset()
	}
	return l
}

// Reset forgets everything.
func (l *Ledger) Reset() {
	clear(l.slots)
	clear(l.runs)
	clear(l.blocks)
	clear(l.lives)
	clear(l.bound)
	clear(l.tenants)
	clear(l.rowOf)
	l.clients, l.authors, l.written, l.ops = l.clients[:0], 0, 0, l.ops[:0]
	l.line, l.running, l.forced = l.line[:0], l.running[:0], false
	l.attempt = attempt{}
	l.leaving, l.marks = 0, [NumMarks]bool{}
	l.filed.reset()
	l.mirror.Reset()
	l.issued, l.done, l.queued, l.offered = 0, [cache.NumQueues]cache.OpID{}, 0, 0
	l.step, l.event = 0, 0
	l.verdict.reset()
	for _, p := range l.extra {
		p.Reset()
	}
}

// Begin starts a step: one event of the given kind, applied to the world.
func (l *Ledger) Begin(step int64, event uint8) { l.step, l.event, l.forced = step, event, false }

// current returns the slot's life if the request is its present one.
func (l *Ledger) current(r cache.Req) *life {
	x := &l.lives[r.Slot]
	if x.live && x.gen == r.Gen {
		return x
	}
	return nil
}

// owner returns the client whose request stands, or last stood, in the slot. Operations name a slot only as long as it
// is not given to another request.
func (l *Ledger) owner(r cache.Req) *client { return &l.clients[l.lives[r.Slot].client] }

// Use implements cache.Observer.
func (l *Ledger) Use(u *cache.Used) {
	l.checkRow(u, l.heldAt(u.Op, u.Req))
	l.checkStart(u)
}

// Sampled implements cache.Observer.
func (l *Ledger) Sampled(op cache.OpID, r cache.Req, pos int32, t cache.Token) {
	l.checkSolo(r, pos, t)
	c := l.owner(r)
	if pos < l.cfg.MaxLen {
		for p := c.sampled; p < pos; p++ {
			l.seenBy(c)[p] = -1 // passed over
		}
		l.seenBy(c)[pos] = t
		c.sampled = max(c.sampled, pos+1)
	}
	if x := l.current(r); x != nil {
		x.sampled++
	} else if x := &l.lives[r.Slot]; x.live && x.gen == r.Gen+1 {
		x.earlier++
	}
	if l.extra != nil {
		l.tell(Event{Kind: SawSampled, Req: r, Op: op, A: int64(pos), B: int64(t)})
	}
}

// Row implements cache.Observer.
func (l *Ledger) Row(k cache.RowKind, row int32, r cache.Req) {
	l.rows[row], l.bound[row] = r, k == cache.Bound
	if k == cache.Bound {
		l.markBound(row, r)
	}
	if l.extra != nil {
		l.tell(Event{Kind: SawRow, Req: r, A: int64(k), B: int64(row)})
	}
}

// Try implements cache.Observer.
func (l *Ledger) Try(k cache.TryKind, what cache.TryWhat, r cache.Req) {
	l.checkAttempt(k, r)
	if k == cache.Failed {
		l.markFailed(what)
	}
	if what == cache.TryAdmit && l.cfg.Prefix {
		l.checkHit(k, r)
	}
}

// Count implements cache.Observer.
func (l *Ledger) Count(r cache.Req, settled int32) { l.checkSettled(r, settled) }
