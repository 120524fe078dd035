// Package sim owns the world: virtual time, the order of events, tenants, a worker, faults. It drives a real scheduler,
// a real paged KV cache and a model in one thread, and lets a ledger watch every step.
//
//	seed ──Generate──▶ script ──Execute──▶ result: verdict, digest, trace
//	                     ▲                    │ broken
//	                     └────── Shrink ◀─────┘
//
// From a test, use Check: it runs seeds, and hands a failing one back as a minimal script. Nothing here draws at
// execution: the same script gives the same steps, on every machine.
package sim

import (
	"custody/cache"
	"custody/invariants"
	"custody/model/worker"
	"custody/scheduler"
	"custody/scheduler/protocol"
	"custody/traces"
)

// client is one submission as its client sees it.
type client struct {
	name    int32
	event   int   // of the script: its submission
	tenant  int32 // -1: one that the engine does not know
	req     cache.Req
	live    bool // accepted, and its end has not been told
	ended   bool // the engine is through with it
	gen     uint32
	tokens  int32 // settled output tokens
	issued  int32 // passes of the present life
	done    int32
	settled int32
	last    cache.OpID // the last operation issued for it, in any life
	prior   cache.OpID // the one before
}

// world is an engine, its clients and everything under way, at one moment.
type world struct {
	*setup
	mem    *cache.Memory
	pool   *cache.Pool
	sched  *scheduler.Scheduler
	runner *worker.Runner
	ledger *invariants.Ledger

	now      Time
	step     int64
	wake     bool // the engine has a reason to plan
	wakeAt   Time
	lanes    [cache.NumQueues]lane
	refusals []refusals
	messages []message
	sent     int // messages already delivered
	clients  []client
	bySlot   []int32 // by slot of the request table: client
	byName   []int32 // by name: its latest client, or -1
	faults   faults
	digest   traces.Digest
	coverage Coverage

	plan     protocol.Plan
	spec     protocol.Spec
	ask      invariants.Submission
	names    []string // by name number
	numbers  map[string]int32
	anchors  []anchored
	onFire   func(index int)
	hear     func(event int, m message) // told of every delivery, if not nil
	onStep   func()                     // at the end of every step, if not nil
	onPiece  func(at position)          // between two pieces of a script, if not nil
	teller   *teller
	receipts *receiptMaker
	promises []invariants.Promise
	blamed   [][]string // by breach: the requests involved
	work     Work
	id       uint32 // digest of the layout
}

// Work counts what a run has done.
type Work struct {
	Steps  int64
	Passes int64
	Copies int64
	Tokens int64 // sampled
	Reads  int64 // KV slots read, layer by layer
}

// worldOptions say who watches a world.
type worldOptions struct {
	bare     bool // no observer attached: what the engine costs by itself
	promises []invariants.Promise
	narrate  bool
	kvEvents func(KVEvent)
	receipt  string // the request of which the receipt is written; "" is none
}

// newWorld builds a world for the header of a script.
func newWorld(c *setup, o worldOptions) *world {
	w := &world{setup: c, id: c.layouts[0].ID(), promises: o.promises, numbers: map[string]int32{}}
	w.mem = cache.NewMemory(c.cache.Layout)
	pool, runner := c.cache, c.runner
	pool.Veto, runner.Veto = w.faults.vetoBlock, w.vetoRow
	w.pool = cache.NewPool(pool, w.mem)
	w.sched = scheduler.New(c.scheduler, w.pool)
	m := c.model.start(int32(c.worker[traces.Vocab]))
	w.runner = worker.New(runner, m, w.mem)
	c.ledger.Parties.Alone = c.model.alone(c)
	w.ledger = invariants.NewLedger(c.ledger, o.promises)
	w.bySlot = make([]int32, c.scheduler.Slots())
	if o.receipt != "" {
		w.receipts = newReceiptMaker(w, o.receipt)
		w.receipts.watch(m)
		w.teller = w.receipts.teller
		w.attach(w.receipts)
	} else if o.narrate {
		w.teller = newTeller(w)
		w.attach(w.teller)
	} else if !o.bare {
		w.attach(w.ledger)
	}
	w.attachStream(o)
	return w
}

func (w *world) attach(o cache.Observer) {
	w.mem.Attach(o)
	w.pool.Attach(o)
	w.sched.Attach(o)
	w.sched.Watch(w.cover)
	w.runner.Attach(o)
}

// reset returns the world to its first moment.
func (w *world) reset() {
	w.mem.Reset()
	w.pool.Reset()
	w.sched.Reset()
	w.runner.Reset()
	w.ledger.Reset()
	for q := range w.lanes {
		w.lanes[q].ops, w.lanes[q].free = w.lanes[q].ops[:0], 0
	}
	w.now, w.step, w.wake, w.wakeAt, w.sent = 0, 0, false, 0, 0
	w.refusals, w.messages, w.clients = w.refusals[:0], w.messages[:0], w.clients[:0]
	w.byName, w.names, w.anchors = w.byName[:0], w.names[:0], w.anchors[:0]
	w.faults.reset()
	w.blamed = nil
	clear(w.numbers)
	clear(w.bySlot)
	w.digest, w.coverage, w.work = traces.Digest{}, Coverage{}, Work{}
}

// begin starts a step.
func (w *world) begin(k Kind) {
	w.step++
	w.work.Steps++
	w.ledger.Begin(w.step, uint8(k))
	w.digest.Add(uint64(k)<<56 ^ uint64(w.now))
	w.coverage.Steps[k]++
}

// end finishes a step: what the engine has to tell its clients goes out.
func (w *world) end() {
	w.send()
	w.ledger.EndStep()
	w.coverFailedAllocs()
	w.nameBreaches()
	w.tellBreaches()
	if w.onStep != nil {
		w.onStep()
	}
}

// stir gives the engine a reason to plan, unless it could not: a pass that settles will give it one.
func (w *world) stir(at Time) {
	if !w.scheduler.TailCopy && w.sched.Outstanding(cache.PassQueue) >= w.scheduler.Depth {
		return
	}
	if !w.wake || at < w.wakeAt {
		w.wake, w.wakeAt = true, at
	}
}

// advance applies the derived event that is due first. It reports false if there is none.
func (w *world) advance() bool {
	kind, queue, at, ok := w.next()
	if !ok {
		return false
	}
	w.now = at
	switch kind {
	case stepRefuse:
		w.takeRefusals()
	case stepSettle:
		w.settle(queue)
	case stepFinish:
		w.finish(queue)
	case stepDeliver:
		w.begin(stepDeliver)
		m := w.messages[w.sent]
		w.sent++
		w.receive(m)
	case stepPlan:
		w.begin(stepPlan)
		w.replan()
	}
	w.end()
	w.fireAnchors()
	return true
}
