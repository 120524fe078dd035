package sim

import (
	"fmt"

	"custody/cache"
	"custody/invariants"
	"custody/scheduler"
	"custody/traces"
)

// Frame is the state of the world after one step, in plain data for people. What a block holds and who answers for it is
// what the ledger saw; the fields that say so are the engine's own view.
type Frame struct {
	Step       int64 // 0: before the first step
	Time       Time
	Kind       string   // of the step; "" for step 0
	Line       int      // index of the script event that the step stands under; -1: before the first
	Notes      []string // the step in words
	Blocks     []BlockFrame
	Requests   []RequestFrame // in the order of submission
	Rows       []RowFrame
	Waiting    []Party         // the engine's own queue, the next one first
	Running    []Party         // the engine's own list, in the order of admission
	Free       []cache.BlockID // the engine's own list, the next to be handed out first
	Operations []OperationFrame
	Mail       []MailFrame // on its way to clients
	Breaches   []BreachFrame
	Touches    []Touch // what the step did to blocks, in order
}

// Party is a request in one of its lives, and its tenant.
type Party struct {
	Name, Tenant string
	Life         uint32 // from 1
}

// Known tells whether it is anybody.
func (p Party) Known() bool { return p.Name != "" }

// String is the request, with the number of its life if it is not the first.
func (p Party) String() string {
	if p.Life > 1 {
		return fmt.Sprintf("%s/%d", p.Name, p.Life)
	}
	return p.Name
}

// BlockFrame is one block.
type BlockFrame struct {
	Held      bool
	Holders   []Party // whose tables it is in
	Leaving   int32   // references that wait for an outstanding operation to end
	Findable  bool
	Publisher Party      // of a findable block
	Pending   cache.OpID // the pass that is still to write what it is filed for, or 0
	Spans     []Span     // its slots, in order
}

// Span is a run of slots that hold the same thing.
type Span struct {
	Lo, Hi int32
	State  invariants.SlotState
	Writer Party // known if somebody's tokens are there
	Torn   bool  // the layers differ: this is the last one
}

// RequestFrame is one submission.
type RequestFrame struct {
	Party
	State     string // of the lifecycle; "turned away", or "ending" while its client has not heard of its end
	Prompt    int32  // tokens
	Delivered int32  // tokens that the engine has sent to its client
	Planned   int32  // the engine's own count of positions
	Settled   int32  // the engine's own count of positions
	Valid     int32  // leading positions that the ledger knows to be good
	Table     []cache.BlockID
	Row       int32 // of the worker, or -1
	Live      bool  // it has not ended
}

// RowFrame is one row of the worker: who it is bound to is what the ledger saw, what it holds the worker's own view.
type RowFrame struct {
	Bound    bool
	Party    Party // bound to
	Computed int32
	Table    []cache.BlockID
}

// OperationFrame is an operation that has been issued and has not settled.
type OperationFrame struct {
	Op       cache.OpID
	Queue    string
	Rows     []Party
	Due      Time
	Finished bool
	Lost     bool
}

// MailFrame is a token or an end on its way to a client.
type MailFrame struct {
	To   Party
	Text string
	Due  Time
}

// BreachFrame is a broken promise.
type BreachFrame struct {
	Promise string
	Step    int64
	Message string
	By      []string // the requests involved, the reader first
}

// Touch is one thing that a step did to a block.
type Touch struct {
	Block cache.BlockID
	What  string // "writes [0,4)": a verb, with the slots of the block that it concerns
	By    Party  // whose doing it is; unknown: no request's
}

// frame takes the state of the world down. What a crash has left may be beyond reading: the rest is then missing.
func (w *world) frame(s *traces.Script) (f *Frame) {
	f = &Frame{Step: w.step, Time: w.now}
	defer func() { _ = recover() }()
	f.Blocks = w.blockFrames()
	f.Rows = w.rowFrames()
	f.Requests = w.requestFrames(s, f.Rows)
	f.Operations = w.operationFrames()
	f.Mail = w.mailFrames()
	waiting, running := w.sched.Queues()
	f.Waiting, f.Running = w.standing(waiting), w.standing(running)
	f.Free = w.pool.FreeBlocks(nil)
	return f
}

// lifeOf names a client's request in one of its lives.
func (w *world) lifeOf(i int32, gen uint32) Party {
	if i < 0 || int(i) >= len(w.clients) {
		return Party{}
	}
	return Party{Name: w.clientName(i), Tenant: w.tenantName(i), Life: gen - w.clients[i].req.Gen + 1}
}

func (w *world) author(a invariants.Author) Party { return w.lifeOf(a.Client, a.Gen) }

// partyOf names the life that an operation or a row knows by its slot.
func (w *world) partyOf(r cache.Req) Party { return w.lifeOf(w.bySlot[r.Slot], r.Gen) }

func (w *world) standing(slots []int32) (list []Party) {
	for _, s := range slots {
		list = append(list, w.author(w.ledger.StandingOf(s).Author))
	}
	return list
}

func (w *world) blockFrames() []BlockFrame {
	list := make([]BlockFrame, w.cache.Layout.Blocks)
	for s := range w.scheduler.Slots() {
		x := w.ledger.StandingOf(s)
		if !x.Live {
			continue
		}
		for _, b := range w.ledger.TableOf(s, nil) {
			list[b].Holders = append(list[b].Holders, w.author(x.Author))
		}
	}
	for i := range list {
		b := cache.BlockID(i)
		c := w.ledger.CustodyOf(b)
		list[i].Held, list[i].Leaving = c.Held, c.Refs-c.Tabled
		list[i].Findable, list[i].Publisher, list[i].Pending = c.Published, w.author(c.Publisher), c.Pending
		list[i].Spans = w.spans(b)
	}
	return list
}

// spans joins neighbouring slots that hold the same thing.
func (w *world) spans(b cache.BlockID) (list []Span) {
	for i := range w.cache.Layout.BlockTokens {
		s := w.slotSpan(b, i)
		if n := len(list); n > 0 && s.State == list[n-1].State && s.Writer == list[n-1].Writer && s.Torn == list[n-1].Torn {
			list[n-1].Hi++
		} else {
			list = append(list, s)
		}
	}
	return list
}

func (w *world) slotSpan(b cache.BlockID, i int32) Span {
	last := w.cache.Layout.Layers - 1
	state, by := w.ledger.SlotAt(last, b, i)
	s := Span{Lo: i, Hi: i + 1, State: state, Writer: w.author(by)}
	for layer := range last {
		other, author := w.ledger.SlotAt(layer, b, i)
		s.Torn = s.Torn || other != state || author != by
	}
	return s
}

func (w *world) rowFrames() []RowFrame {
	list := make([]RowFrame, w.runner.Rows())
	for i := range list {
		own := w.runner.RowState(int32(i))
		list[i].Computed, list[i].Table = own.Computed, own.Table
		if r, bound := w.ledger.RowOf(int32(i)); bound {
			list[i].Bound, list[i].Party = true, w.partyOf(r)
		}
	}
	return list
}

func (w *world) requestFrames(s *traces.Script, rows []RowFrame) []RequestFrame {
	list := make([]RequestFrame, len(w.clients))
	for i := range list {
		c, f := &w.clients[i], &list[i]
		f.Party, f.Delivered, f.Row = w.lifeOf(int32(i), c.req.Gen), c.tokens, -1
		f.Prompt, f.State = int32(len(s.Events[c.event].Prompt)), "turned away"
		switch {
		case c.ended && c.live:
			f.State = "ending"
		case c.ended:
			f.State = scheduler.Ended.String()
		case c.live:
			w.follow(int32(i), f, rows)
		}
	}
	return list
}

// follow fills in what a live request has.
func (w *world) follow(i int32, f *RequestFrame, rows []RowFrame) {
	slot := w.clients[i].req.Slot
	x := w.ledger.StandingOf(slot)
	_, planned, settled := w.sched.Progress(slot)
	f.Party, f.Live, f.State = w.author(x.Author), true, scheduler.State(x.State).String()
	f.Planned, f.Settled, f.Valid = planned, settled, x.Valid
	f.Table = w.ledger.TableOf(slot, nil)
	for r := range rows {
		if rows[r].Bound && rows[r].Party == f.Party {
			f.Row = int32(r)
		}
	}
}

func (w *world) operationFrames() (list []OperationFrame) {
	for q := range w.lanes {
		for i := range w.lanes[q].ops {
			o := &w.lanes[q].ops[i]
			f := OperationFrame{Op: o.op, Queue: queueNames[q], Due: o.finish, Finished: o.finished, Lost: o.lost}
			for _, r := range o.rows {
				f.Rows = append(f.Rows, w.partyOf(r))
			}
			list = append(list, f)
		}
	}
	return list
}

// queueNames are the words for what a queue carries.
var queueNames = [cache.NumQueues]string{"pass", "copy"}

func (w *world) mailFrames() (list []MailFrame) {
	for _, m := range w.messages[w.sent:] {
		f := MailFrame{To: w.lifeOf(m.client, w.clients[m.client].req.Gen), Text: "its end: " + m.why.String(), Due: m.due}
		if m.why == scheduler.NoReason {
			f.Text = "token " + tokenText(int32(m.token))
		}
		list = append(list, f)
	}
	return list
}
