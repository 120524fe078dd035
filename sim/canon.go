package sim

import (
	"slices"

	"custody/cache"
	"custody/scheduler/protocol"
	"custody/sim/engine"
)

// Canon writes the world down so that worlds with the same future become the same words (cache.Canon). Blocks, lives,
// tenants and names are called by their first use, times and operations relative to what is outstanding; names in the
// narrative, counters, the clock and what has been stay out, and so does the script: the future is what the next lines
// make of it. It reports false if the engine or its worker cannot be written down.
//
// Two worlds of one setup with equal sums go on alike, if the engine keeps its promises up to then: what it reads then
// follows from tokens and identities, and not from what else stands in memory.
func (w *World) Canon(c *cache.Canon) bool {
	c.Reset()
	for i := range w.nodes {
		e, can := w.nodes[i].Engine.(engine.Canonical)
		x, canToo := w.nodes[i].Worker.(engine.Canonical)
		if !can || !canToo {
			return false
		}
		e.Canon(c)
		x.Canon(c)
	}
	w.effects.canon(c, w)
	w.faults.canon(c)
	w.cursor.canon(c)
	w.roster.canon(c, w.Node().Engine)
	return true
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

// canon appends the faults that may still strike: those of lives that have been named.
func (f *faults) canon(c *cache.Canon) {
	c.Bool(f.lostPass)
	for _, x := range f.armed {
		if !slices.Contains(c.Lives(), x.req) {
			continue
		}
		c.Int(int32(x.verb))
		c.Req(x.req)
		c.Int(x.nth)
		c.Word(uint64(x.by))
		c.Bool(x.final)
	}
	c.Int(-1)
}

// canon appends the lines that wait for their requests.
func (x *cursor) canon(c *cache.Canon) {
	c.Int(int32(len(x.anchors)))
	for i := range x.anchors {
		a := &x.anchors[i]
		c.Int(int32(a.event.Verb))
		for _, v := range a.event.Args {
			c.Word(uint64(v))
		}
		c.Int(int32(a.event.When.Kind))
		c.Int(a.event.When.N)
		c.Name(uint32(a.name))
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

// canon appends the clients whose requests live, in the order in which those have been named. Of the others only messages
// are left.
func (r *Roster) canon(c *cache.Canon, e engine.Engine) {
	for _, life := range c.Lives() {
		if x := &r.clients[r.bySlot[life.Slot]]; x.Live && e.View(x.Req).Life == life {
			x.canon(c, life)
		}
	}
}

// canon appends what its counts are good for: anchors, and faults by chunk.
func (x *Client) canon(c *cache.Canon, life cache.Req) {
	c.Name(uint32(x.name))
	c.Tenant(x.Tenant)
	passes := [3]int32{}
	if x.gen == life.Gen {
		passes = [3]int32{x.Issued, x.Done, x.Settled}
	}
	for _, n := range passes {
		c.Int(n)
	}
	c.Int(x.Tokens)
	c.Bool(x.Ended)
}
