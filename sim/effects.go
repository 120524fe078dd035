package sim

import (
	"slices"

	"custody/cache"
	"custody/scheduler/protocol"
)

// Effect is something under way: it was caused, and will happen when it is due. All that a world has outstanding stands in
// one list.
type Effect struct {
	Due     Time
	Kind    StepKind // of the step in which it happens
	Queue   cache.Queue
	From    Place
	To      Place
	Op      *Operation         // of a pass or copy: StepFinish, then StepSettle
	Refused []protocol.Refusal // StepRefuse, of the operation Of
	Of      cache.OpID
	Output  protocol.Output // StepDeliver
}

// Place is who causes an effect, or whom it reaches: a client by its number, or (below 0) a part of a node.
type Place int32

// EnginePlace is the engine of a node.
func EnginePlace(node int32) Place { return Place(-1 - 2*node) }

// WorkerPlace is the worker of a node.
func WorkerPlace(node int32) Place { return Place(-2 - 2*node) }

// node is the number of the node that a part of one belongs to.
func (p Place) node() int32 { return int32(-1-p) / 2 }

// effects is the list of what is under way, in the order in which it will happen: by time, then by kind, then by queue,
// then by arrival. No effect's place in it depends on when a script line was written.
type effects struct {
	list []Effect
	ops  []*Operation           // not in use: kept for their buffers
	free [cache.NumQueues]Time  // by queue: when its last operation finishes
	out  [cache.NumQueues]int32 // by queue: operations that have been issued and have not settled
}

func (e *Effect) before(o *Effect) bool {
	switch {
	case e.Due != o.Due:
		return e.Due < o.Due
	case e.Kind != o.Kind:
		return e.Kind < o.Kind
	}
	return e.Queue < o.Queue
}

// add puts an effect in its place. Most belong near the end.
func (l *effects) add(e Effect) {
	l.list = append(l.list, e)
	i := len(l.list) - 1
	for ; i > 0 && e.before(&l.list[i-1]); i-- {
		l.list[i] = l.list[i-1]
	}
	l.list[i] = e
}

// pop removes the first effect.
func (l *effects) pop() Effect {
	e := l.list[0]
	l.remove(0)
	return e
}

func (l *effects) remove(i int) { l.list = append(l.list[:i], l.list[i+1:]...) }

// find is the index of the first effect of a kind, or -1.
func (l *effects) find(k StepKind) int {
	for i := range l.list {
		if l.list[i].Kind == k {
			return i
		}
	}
	return -1
}

func (l *effects) count(k StepKind) (n int) {
	for i := range l.list {
		if l.list[i].Kind == k {
			n++
		}
	}
	return n
}

// Operation is an issued pass or copy.
type Operation struct {
	Op     cache.OpID
	Queue  cache.Queue
	Finish Time
	Lost   bool            // it is: known when it is finished
	Result protocol.Result // once it is finished
	Rows   []cache.Req     // as planned

	fails bool
}

// newOperation begins an operation of a queue, with the buffers of an earlier one.
func (l *effects) newOperation(q cache.Queue) *Operation {
	l.out[q]++
	n := len(l.ops)
	if n == 0 {
		return &Operation{Queue: q}
	}
	o := l.ops[n-1]
	l.ops = l.ops[:n-1]
	o.Result.Reset(0)
	*o = Operation{Queue: q, Result: o.Result, Rows: o.Rows[:0]}
	return o
}

// retire ends an operation, and keeps its buffers for a later one.
func (l *effects) retire(o *Operation) {
	l.out[o.Queue]--
	l.ops = append(l.ops, o)
}

// dropQueue removes all operations of a queue, and tells of each.
func (l *effects) dropQueue(q cache.Queue, dropped func(cache.OpID)) {
	kept := l.list[:0]
	for _, e := range l.list {
		if e.Op != nil && e.Queue == q {
			dropped(e.Op.Op)
			l.retire(e.Op)
		} else {
			kept = append(kept, e)
		}
	}
	l.list = kept
}

// reset forgets all. What was in hand when an engine crashed does not stand in the list, and was counted.
func (l *effects) reset() {
	for i := range l.list {
		if e := &l.list[i]; e.Op != nil {
			l.retire(e.Op)
		}
	}
	l.list, l.free, l.out = l.list[:0], [cache.NumQueues]Time{}, [cache.NumQueues]int32{}
}

func (l *effects) cloneInto(dst *effects) {
	dst.reset()
	dst.free = l.free
	for _, e := range l.list {
		if e.Op != nil {
			o := dst.newOperation(e.Queue)
			rows, result := append(o.Rows, e.Op.Rows...), o.Result
			e.Op.Result.CloneInto(&result)
			*o = *e.Op
			o.Rows, o.Result = rows, result
			e.Op = o
		}
		e.Refused = slices.Clone(e.Refused)
		dst.list = append(dst.list, e)
	}
}

// canon appends what is under way, in its order.
func (l *effects) canon(c *cache.Canon, w *World) {
	c.Int(int32(len(l.list)))
	for i := range l.list {
		e := &l.list[i]
		c.Word(uint64(max(e.Due-w.now, 0)))
		c.Int(int32(e.Kind))
		c.Int(int32(e.Queue))
		switch {
		case e.Op != nil:
			e.Op.canon(c)
		case e.Kind == StepRefuse:
			canonRefused(c, e.Of, e.Refused)
		case e.Kind == StepDeliver:
			canonMessage(c, w.roster, int32(e.To), &e.Output)
		}
	}
	for _, at := range l.free {
		c.Word(uint64(max(at-w.now, 0)))
	}
}

func (o *Operation) canon(c *cache.Canon) {
	c.Op(o.Op)
	c.Bool(o.fails)
	c.Bool(o.Lost)
	c.Int(int32(len(o.Rows)))
	for _, r := range o.Rows {
		c.Req(r)
	}
	c.Int(int32(len(o.Result.Rows)))
	for i := range o.Result.Rows {
		c.Req(o.Result.Rows[i].Req)
		c.Tokens(o.Result.Rows[i].Tokens)
	}
}

func canonRefused(c *cache.Canon, op cache.OpID, list []protocol.Refusal) {
	c.Op(op)
	for i := range list {
		c.Req(list[i].Req)
		c.Int(int32(list[i].Why))
		c.Bool(list[i].Final)
	}
}

// canonMessage appends a message on its way. An end that has not been told keeps its name from being used again.
func canonMessage(c *cache.Canon, r *Roster, client int32, out *protocol.Output) {
	x := &r.clients[client]
	c.Name(uint32(x.name))
	c.Bool(x.Live && x.Ended && r.byName[x.name] == client)
	c.Int(int32(out.Token))
	c.Int(int32(out.Why))
}
