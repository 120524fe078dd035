// Package invariants watches an engine and says which promise it breaks.
//
//	engine ──Observer──▶ Ledger ──▶ promises ──▶ breaches
//	client ──Submitted, Delivered, Told──▶ ┘
//
// The ledger believes only the accesses that it saw: the memory accessor reports the addresses that it hands out. What a
// request's tokens, identity and limits are, it knows from the client's side, never from the scheduler's list. What a
// slot should hold it derives with its own code. It never asks the allocator what is free.
//
// There is one file for each promise. A step's checks touch what the step touched; Audit is the full check.
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

// Event is one observed fact, for promises that users bring.
type Event struct {
	Kind  EventKind
	Step  int64
	Req   cache.Req
	Op    cache.OpID
	Block cache.BlockID
	Layer int
	Run   cache.Run
	A, B  int64 // by kind: see EventKind
}

// EventKind is the kind of an observed fact.
type EventKind uint8

// The facts. A and B are given where they mean something.
const (
	SawBlock     EventKind = iota // A: cache.BlockKind
	SawRead                       // Layer, Run
	SawWrite                      // Layer, Run
	SawCopy                       // A: from, B: to
	SawOp                         // A: cache.OpKind, B: queue
	SawSampled                    // A: position, B: token
	SawRow                        // A: cache.RowKind, B: row
	SawLife                       // A: state before and after (16 bits each, before first), B: lifecycle event
	SawSubmitted                  // A: client
	SawDelivered                  // A: client, B: token
	SawTold                       // A: client, B: End
)

// Promise is an invariant that a user brings. It is told the facts of EventKind, after the ledger has taken them in.
type Promise interface {
	ID() string
	Statement() string
	Reset() // to its first state: one promise sees many runs
	See(l *Ledger, e *Event, breach func(message string))
	Audit(l *Ledger, breach func(message string)) // at quiescence
}

// slot is what the ledger knows of one KV slot of one layer. It is small because every position written stores one.
type slot struct {
	tag    uint64 // content: identity and all tokens up to the position it was written for
	epoch  uint32 // the block's when it was written
	writer uint32 // the life that wrote it, by number; 0: never written
}

// writer is a life, as the writer of slots. Slots and client numbers are used again, and what was written stays.
type writer struct {
	number uint32
	client int32
	author uint32 // number of the submission
	domain uint32
	gen    uint32
}

// poison is the writer of a slot that was poisoned and has been marked so by itself.
const poison = ^uint32(0)

// knownWriters is how many lives are remembered as writers, a power of two. What an older one wrote is still known to be
// wrong where it is wrong, but not whose it was.
const knownWriters = 1 << 16

// run is what vouches for a layer of a block as long as it is written from front to back, which it nearly always is:
// its first n slots were written in one epoch, each for the position after the one before, and the last of them holds
// the content of the tag. With n zero nothing vouches, and each slot is looked at.
type run struct {
	tag   uint64
	epoch uint32
	n     int32
}

// hold is a block in a request's table.
type hold struct {
	block   cache.BlockID
	epoch   uint32 // the block's when it was taken or found
	adopted bool
}

// block is what the ledger knows of one block.
type block struct {
	epoch     uint32 // raised by every allocation
	wiped     uint32 // slots written before this epoch are poisoned
	refs      int32
	tabled    int32 // entries of live tables
	held      bool  // not on the free list
	published bool
	entry     entry
	read      [cache.NumQueues]cache.OpID // the last operation issued that reads it
	write     [cache.NumQueues]cache.OpID
}

// entry is what a published block was filed for.
type entry struct {
	tag    uint64
	id     cache.Identity
	op     cache.OpID // the pass that was still to write it, or 0
	writer uint32     // the life that published it
}

// life is the ledger's view of one slot of the request table.
type life struct {
	client  int32
	gen     uint32
	writer  uint32 // its number as a writer
	state   uint8
	live    bool
	holds   int32 // blocks in its table
	valid   int32 // leading positions whose slots are valid for it
	sampled int32 // tokens sampled for this life that have not settled
	earlier int32 // the same for the life before
	taken   int32 // tokens that have settled, in all lives of the request
	looked  int32 // the most blocks that could be found when it was denied admission
}

// operation is an issued operation with what its rows held at issue.
type operation struct {
	op     cache.OpID
	queue  cache.Queue
	rows   []opRow
	holds  []hold
	tokens int32 // planned so far
	next   int   // the row that was asked for last
}

type opRow struct {
	req      cache.Req
	from, to int32 // into holds
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
	transitions Transitions

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
	l.transitions = Transitions{}
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

func (l *Ledger) table(s int32) []hold {
	return l.tables[s*l.stride : s*l.stride+l.lives[s].holds]
}

// Block implements cache.Observer.
func (l *Ledger) Block(k cache.BlockKind, r cache.Req, b cache.BlockID, op cache.OpID) {
	switch k {
	case cache.Alloc:
		l.seeAlloc(r, b)
	case cache.Adopt:
		l.seeAdopt(r, b)
	case cache.Drop:
		l.seeDrop(r, b)
	case cache.Freed:
		l.seeFreed(b)
	case cache.Publish:
		l.seePublish(r, b, op)
	case cache.Unpublish:
		l.seeUnpublish(b)
	case cache.Poison:
		l.seePoison(b)
	}
	if l.extra != nil {
		l.tell(Event{Kind: SawBlock, Req: r, Block: b, Op: op, A: int64(k)})
	}
}

func (l *Ledger) seeAlloc(r cache.Req, b cache.BlockID) {
	l.checkAlloc(r, b)
	l.checkReuse(r, b)
	x := &l.blocks[b]
	x.epoch++
	x.refs, x.held = 1, true
	l.attempt.takes(b)
	l.push(r, hold{block: b, epoch: x.epoch})
}

func (l *Ledger) seeAdopt(r cache.Req, b cache.BlockID) {
	l.checkFound(r, b)
	x := &l.blocks[b]
	x.refs++
	x.held = true
	l.attempt.takes(b)
	l.push(r, hold{block: b, epoch: x.epoch, adopted: true})
	if y := &l.lives[r.Slot]; y.valid == (y.holds-1)*l.cfg.BlockTokens {
		y.valid = y.holds * l.cfg.BlockTokens
	}
}

func (l *Ledger) push(r cache.Req, h hold) {
	x := &l.lives[r.Slot]
	if x.gen != r.Gen || x.holds == l.stride {
		return
	}
	l.tables[r.Slot*l.stride+x.holds] = h
	x.holds++
	l.blocks[h.block].tabled++
}

func (l *Ledger) seeDrop(r cache.Req, b cache.BlockID) {
	l.checkDrop(r, b)
	l.blocks[b].refs--
	l.attempt.drops(b)
	if l.blocks[b].refs > 0 {
		l.markShared(r, b)
	}
	if x := l.current(r); x != nil {
		l.forget(r.Slot, b)
		x.valid = min(x.valid, x.holds*l.cfg.BlockTokens)
	} else {
		l.leaving--
	}
}

// forget takes a block out of a table: the last one, or one of a table that is being given back whole.
func (l *Ledger) forget(s int32, b cache.BlockID) {
	table := l.table(s)
	for i := len(table) - 1; i >= 0; i-- {
		if table[i].block == b {
			copy(table[i:], table[i+1:])
			l.lives[s].holds--
			l.blocks[b].tabled--
			return
		}
	}
}

func (l *Ledger) seeFreed(b cache.BlockID) {
	l.checkFreed(b)
	l.blocks[b].held = false
}

func (l *Ledger) seePoison(b cache.BlockID) {
	l.checkPoison(b)
	l.blocks[b].wiped = l.blocks[b].epoch + 1
	for layer := range l.cfg.Layers {
		l.runs[layer*l.cfg.Blocks+int32(b)].n = 0
	}
}

// spellOut marks each poisoned slot of a block by itself: a write that comes too late, under an old epoch, is about to
// make one of them a written one.
func (l *Ledger) spellOut(b cache.BlockID) {
	size := l.cfg.BlockTokens
	for layer := range l.cfg.Layers {
		at := (layer*l.cfg.Blocks + int32(b)) * size
		for i := range l.slots[at : at+size] {
			if s := &l.slots[at+int32(i)]; s.epoch < l.blocks[b].wiped {
				*s = slot{writer: poison}
			}
		}
	}
	l.blocks[b].wiped = 0
}

// Op implements cache.Observer.
func (l *Ledger) Op(k cache.OpKind, op cache.OpID, q cache.Queue) {
	switch k {
	case cache.Issued:
		l.issued = op
		l.open(op, q)
		l.checkAgreed()
	case cache.Settled, cache.Lost:
		l.done[q] = max(l.done[q], op)
		l.close(op)
	}
	if l.extra != nil {
		l.tell(Event{Kind: SawOp, Op: op, A: int64(k), B: int64(q)})
	}
}

func (l *Ledger) open(op cache.OpID, q cache.Queue) {
	if n := len(l.ops); n < cap(l.ops) {
		l.ops = l.ops[:n+1]
	} else {
		l.ops = append(l.ops, operation{})
	}
	o := &l.ops[len(l.ops)-1]
	o.op, o.queue, o.rows, o.holds, o.tokens, o.next = op, q, o.rows[:0], o.holds[:0], 0, -1
}

func (l *Ledger) close(op cache.OpID) {
	for i := range l.ops {
		if l.ops[i].op == op {
			o, n := l.ops[i], len(l.ops)-1
			copy(l.ops[i:], l.ops[i+1:])
			l.ops[n] = o // keeps its buffers
			l.ops = l.ops[:n]
			return
		}
	}
}

func (l *Ledger) find(op cache.OpID) *operation {
	for i := range l.ops {
		if l.ops[i].op == op {
			return &l.ops[i]
		}
	}
	return nil
}

// Planned implements cache.Observer: a pass has been issued with this row.
func (l *Ledger) Planned(op cache.OpID, r cache.Req, run cache.Run) {
	o := &l.ops[len(l.ops)-1]
	from := int32(len(o.holds))
	if l.current(r) != nil {
		o.holds = append(o.holds, l.table(r.Slot)...)
	}
	o.rows = append(o.rows, opRow{req: r, from: from, to: int32(len(o.holds))})
	l.checkPlanned(o, r, run)
	if l.cfg.TwoQueues {
		l.planTouches(op, o.queue, r, run)
	}
}

// PlannedCopy implements cache.Observer.
func (l *Ledger) PlannedCopy(op cache.OpID, r cache.Req, c cache.Copy) {
	o := &l.ops[len(l.ops)-1]
	o.rows = append(o.rows, opRow{req: r})
	l.planRead(op, o.queue, r, c.From)
	l.planWrite(op, o.queue, r, c.To)
}

// heldAt returns what the row's request held when the operation was issued. Rows are touched in order, layer by layer, so
// the row after the last one asked for is looked at first.
func (l *Ledger) heldAt(op cache.OpID, r cache.Req) []hold {
	o := l.find(op)
	if o == nil {
		return nil
	}
	for range o.rows {
		if o.next++; o.next >= len(o.rows) {
			o.next = 0
		}
		if x := &o.rows[o.next]; x.req == r {
			return o.holds[x.from:x.to]
		}
	}
	return nil
}

// Touch implements cache.Observer.
func (l *Ledger) Touch(k cache.TouchKind, op cache.OpID, r cache.Req, layer int, run cache.Run) {
	holds := l.heldAt(op, r)
	if k == cache.Read {
		l.checkRead(op, r, int32(layer), run, holds)
	} else {
		l.seeWrite(r, int32(layer), run, holds)
	}
	if l.extra != nil {
		kind := SawRead
		if k == cache.Write {
			kind = SawWrite
		}
		l.tell(Event{Kind: kind, Req: r, Op: op, Layer: layer, Run: run})
	}
}

// seeWrite records what the slots of a run hold from now on, block by block.
func (l *Ledger) seeWrite(r cache.Req, layer int32, run cache.Run, holds []hold) {
	size := l.cfg.BlockTokens
	c := l.owner(r)
	run.Hi = min(run.Hi, l.cfg.MaxLen)
	l.extend(c, run.Hi)
	tags := l.tagsOf(c)
	s := slot{writer: l.writerOf(r)}
	for i, from := run.Lo/size, run.Lo; from < run.Hi; i++ {
		to := min((i+1)*size, run.Hi)
		b := run.Table[i]
		s.epoch = l.blocks[b].epoch // of a block that it does not hold, should it come to that
		if int(i) < len(holds) && holds[i].block == b {
			s.epoch = holds[i].epoch
		}
		if s.epoch < l.blocks[b].wiped {
			l.spellOut(b)
		}
		at := layer*l.cfg.Blocks + int32(b)
		block := l.slots[at*size+from-i*size:][:to-from]
		last := &block[to-from-1]
		if to-i*size > l.runs[at].n || last.tag != tags[to-1] || last.epoch != s.epoch { // else it is the same content again
			l.runs[at].extend(from-i*size, s.epoch, prior(tags, from), tags[from:to])
		}
		for j, tag := range tags[from:to] {
			s.tag = tag
			block[j] = s
		}
		if l.foreign {
			estrange(block)
			l.runs[at].n = 0
		}
		from = to
	}
	if x := l.current(r); x != nil && layer == l.cfg.Layers-1 && run.Lo <= x.valid {
		x.valid = max(x.valid, run.Hi)
	}
}

func prior(tags []uint64, p int32) uint64 {
	if p == 0 {
		return 0
	}
	return tags[p-1]
}

// extend takes in that the slots from `from` on were written with the tags, `before` being the tag of the position
// before them.
func (x *run) extend(from int32, epoch uint32, before uint64, tags []uint64) {
	if from != 0 && (from != x.n || x.epoch != epoch || x.tag != before) {
		x.n = 0
		return
	}
	*x = run{tag: tags[len(tags)-1], epoch: epoch, n: from + int32(len(tags))}
}

// CopyBlock implements cache.Observer.
func (l *Ledger) CopyBlock(op cache.OpID, c cache.Copy) {
	size := l.cfg.BlockTokens
	epoch := l.blocks[c.To].epoch
	if epoch < l.blocks[c.To].wiped {
		l.spellOut(c.To)
	}
	for layer := range l.cfg.Layers {
		from, to := layer*l.cfg.Blocks+int32(c.From), layer*l.cfg.Blocks+int32(c.To)
		for i := range size {
			s := l.slots[from*size+i]
			if l.stateOf(&s, c.From, false) == SlotPoisoned {
				s = slot{writer: poison}
			}
			s.epoch = epoch
			l.slots[to*size+i] = s
		}
		l.runs[to] = l.runs[from]
		l.runs[to].epoch = epoch
	}
	if o := l.find(op); o != nil && len(o.rows) == 1 {
		l.copied(o.rows[0].req)
	}
	if l.extra != nil {
		l.tell(Event{Kind: SawCopy, Op: op, A: int64(c.From), B: int64(c.To)})
	}
}

// copied extends a request's valid positions by its copied tail block.
func (l *Ledger) copied(r cache.Req) {
	x := l.current(r)
	if x == nil || x.holds < 2 {
		return
	}
	if own := x.holds - 2; x.valid == own*l.cfg.BlockTokens { // the last two are its own block and the source
		x.valid = (own + 1) * l.cfg.BlockTokens
	}
}

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
