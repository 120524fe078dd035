package explain

import (
	"cmp"
	"slices"

	"custody/cache"
	"custody/invariants"
	"custody/scheduler"
	"custody/scheduler/protocol"
	"custody/sim"
	"custody/sim/engine"
	"custody/traces"
)

// taker takes the state of a world down. What its engine or worker does not show is missing.
type taker struct {
	world  *sim.World
	ledger *invariants.Ledger
	people *sim.Roster
	script *traces.Script
}

// frame takes the state of a world down. What a crash has left may be beyond reading: the rest is then missing.
func frame(w *sim.World, s *traces.Script) (f *Frame) {
	f = &Frame{Step: w.Step().Number, Time: w.Step().Time}
	defer func() { _ = recover() }()
	t := &taker{w, w.Ledger(), w.Roster(), s}
	f.Blocks = t.blockFrames()
	f.Rows = t.rowFrames()
	f.Requests = t.requestFrames(f.Rows)
	f.Operations = t.operationFrames()
	f.Mail = t.mailFrames()
	if x, ok := w.Node().Engine.(engine.Looker); ok {
		waiting, running := x.Queues()
		f.Waiting, f.Running = t.standing(waiting), t.standing(running)
		f.Free = x.FreeBlocks(nil)
	}
	return f
}

func (t *taker) author(a invariants.Life) sim.Party { return t.people.Life(a.Client, a.Gen) }

// partyOf names the life that an operation or a row knows by its slot.
func (t *taker) partyOf(r cache.Req) sim.Party { return t.people.Life(t.people.Of(r), r.Gen) }

func (t *taker) standing(slots []int32) (list []sim.Party) {
	for _, s := range slots {
		list = append(list, t.author(t.ledger.Look().Request(s).Life))
	}
	return list
}

func (t *taker) blockFrames() []BlockFrame {
	list := make([]BlockFrame, t.world.Layout().Blocks)
	for s := range t.world.Node().Claims.Slots {
		x := t.ledger.Look().Request(s)
		if !x.Live {
			continue
		}
		for _, b := range t.ledger.Look().Table(s, nil) {
			list[b].Holders = append(list[b].Holders, t.author(x.Life))
		}
	}
	for i := range list {
		b := cache.BlockID(i)
		c := t.ledger.Look().Block(b)
		list[i].Held, list[i].Leaving = c.Held, c.Refs-c.Tabled
		list[i].Findable, list[i].Publisher, list[i].Pending = c.Published, t.author(c.Publisher), c.Pending
		list[i].Spans = t.spans(b)
	}
	return list
}

// spans joins neighbouring slots that hold the same thing.
func (t *taker) spans(b cache.BlockID) (list []Span) {
	for i := range t.world.Layout().BlockTokens {
		s := t.slotSpan(b, i)
		if n := len(list); n > 0 && s.State == list[n-1].State && s.Writer == list[n-1].Writer && s.Torn == list[n-1].Torn {
			list[n-1].Hi++
		} else {
			list = append(list, s)
		}
	}
	return list
}

func (t *taker) slotSpan(b cache.BlockID, i int32) Span {
	last := t.world.Layout().Layers - 1
	state, by := t.ledger.Look().Slot(last, b, i)
	s := Span{Lo: i, Hi: i + 1, State: state, Writer: t.author(by)}
	for layer := range last {
		other, author := t.ledger.Look().Slot(layer, b, i)
		s.Torn = s.Torn || other != state || author != by
	}
	return s
}

func (t *taker) rowFrames() []RowFrame {
	x, ok := t.world.Node().Worker.(engine.WorkerLooker)
	if !ok {
		return nil
	}
	list := make([]RowFrame, x.Rows())
	for i := range list {
		list[i].Computed, list[i].Table = x.Row(int32(i))
		if r, bound := t.ledger.Look().Row(int32(i)); bound {
			list[i].Bound, list[i].Party = true, t.partyOf(r)
		}
	}
	return list
}

func (t *taker) requestFrames(rows []RowFrame) []RequestFrame {
	list := make([]RequestFrame, t.people.Len())
	for i := range list {
		c, f := t.people.Client(int32(i)), &list[i]
		f.Party, f.Delivered, f.Row = t.people.Life(int32(i), c.Req.Gen), c.Tokens, -1
		f.Prompt, f.State = int32(len(t.script.Events[c.Event].Prompt)), "turned away"
		switch {
		case c.Ended && c.Live:
			f.State = "ending"
		case c.Ended:
			f.State = scheduler.Ended.String()
		case c.Live:
			t.follow(c, f, rows)
		}
	}
	return list
}

// follow fills in what a live request has.
func (t *taker) follow(c *sim.Client, f *RequestFrame, rows []RowFrame) {
	slot := c.Req.Slot
	x := t.ledger.Look().Request(slot)
	f.Party, f.Live, f.State = t.author(x.Life), true, t.world.Node().Engine.View(c.Req).State.String()
	if own, ok := t.world.Node().Engine.(engine.Looker); ok {
		f.Planned, f.Settled = own.Progress(slot)
	}
	f.Valid, f.Table = x.Valid, t.ledger.Look().Table(slot, nil)
	for r := range rows {
		if rows[r].Bound && rows[r].Party == f.Party {
			f.Row = int32(r)
		}
	}
}

func (t *taker) operationFrames() (list []OperationFrame) {
	var under []sim.Effect
	for _, e := range t.world.UnderWay() {
		if e.Op != nil {
			under = append(under, e)
		}
	}
	slices.SortStableFunc(under, func(a, b sim.Effect) int {
		return cmp.Or(cmp.Compare(a.Queue, b.Queue), cmp.Compare(a.Op.Op, b.Op.Op))
	})
	for _, e := range under {
		f := OperationFrame{
			Op: e.Op.Op, Queue: queueNames[e.Queue], Due: e.Op.Finish, Finished: e.Kind == sim.StepSettle, Lost: e.Op.Lost,
		}
		for _, r := range e.Op.Rows {
			f.Rows = append(f.Rows, t.partyOf(r))
		}
		list = append(list, f)
	}
	return list
}

// queueNames are the words for what a queue carries.
var queueNames = [cache.NumQueues]string{"pass", "copy"}

func (t *taker) mailFrames() (list []MailFrame) {
	for _, e := range t.world.UnderWay() {
		if e.Kind != sim.StepDeliver {
			continue
		}
		m, client := e.Output, int32(e.To)
		f := MailFrame{To: t.people.Life(client, t.people.Client(client).Req.Gen), Text: "its end: " + m.Why.String(), Due: e.Due}
		if m.Why == protocol.NoReason {
			f.Text = "token " + t.world.Model().Word(int32(m.Token))
		}
		list = append(list, f)
	}
	return list
}
