package sim

import (
	"custody/cache"
	"custody/invariants"
	"custody/scheduler"
	"custody/scheduler/protocol"
	"custody/traces"
)

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

func (w *world) author(a invariants.Life) Party { return w.lifeOf(a.Client, a.Gen) }

// partyOf names the life that an operation or a row knows by its slot.
func (w *world) partyOf(r cache.Req) Party { return w.lifeOf(w.bySlot[r.Slot], r.Gen) }

func (w *world) standing(slots []int32) (list []Party) {
	for _, s := range slots {
		list = append(list, w.author(w.ledger.Look().Request(s).Life))
	}
	return list
}

func (w *world) blockFrames() []BlockFrame {
	list := make([]BlockFrame, w.cache.Layout.Blocks)
	for s := range w.scheduler.Slots() {
		x := w.ledger.Look().Request(s)
		if !x.Live {
			continue
		}
		for _, b := range w.ledger.Look().Table(s, nil) {
			list[b].Holders = append(list[b].Holders, w.author(x.Life))
		}
	}
	for i := range list {
		b := cache.BlockID(i)
		c := w.ledger.Look().Block(b)
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
	state, by := w.ledger.Look().Slot(last, b, i)
	s := Span{Lo: i, Hi: i + 1, State: state, Writer: w.author(by)}
	for layer := range last {
		other, author := w.ledger.Look().Slot(layer, b, i)
		s.Torn = s.Torn || other != state || author != by
	}
	return s
}

func (w *world) rowFrames() []RowFrame {
	list := make([]RowFrame, w.runner.Rows())
	for i := range list {
		own := w.runner.RowState(int32(i))
		list[i].Computed, list[i].Table = own.Computed, own.Table
		if r, bound := w.ledger.Look().Row(int32(i)); bound {
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
	x := w.ledger.Look().Request(slot)
	state, _ := w.sched.Live(w.sched.Current(slot))
	_, planned, settled := w.sched.Progress(slot)
	f.Party, f.Live, f.State = w.author(x.Life), true, state.String()
	f.Planned, f.Settled, f.Valid = planned, settled, x.Valid
	f.Table = w.ledger.Look().Table(slot, nil)
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
		if m.why == protocol.NoReason {
			f.Text = "token " + w.model.Word(int32(m.token))
		}
		list = append(list, f)
	}
	return list
}
