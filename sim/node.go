package sim

import (
	"custody/cache"
	"custody/model"
	"custody/sim/engine"
	"custody/traces"
)

// Node is one instance: an engine, its worker, and the KV memory of both. A world has one so far.
type Node struct {
	Engine engine.Engine
	Worker engine.Worker
	Model  model.Model   // what the worker computes with
	Claims engine.Claims // what the engine says of itself

	world *World
	index int32
	mem   *cache.Memory
	setup engine.Setup
}

// start makes a node's parts and lets the engine hear its setup. The world may veto what its parts do.
func (n *Node) start(w *World) (err error) {
	c := w.cfg
	n.world, n.mem, n.Model = w, cache.NewMemory(c.layout), c.model.start(int32(c.worker[traces.Vocab]))
	n.Engine = c.parts.engine()
	n.setup = engine.Setup{
		Config: c.engine, Quotas: c.quotas, Layout: c.layout, Memory: n.mem, NoWorker: c.refused, Veto: w.faults.vetoBlock,
	}
	if n.Claims, err = n.Engine.Hello(n.setup); err != nil {
		return err
	}
	n.Worker = c.parts.worker(engine.WorkerSetup{
		Config: c.worker, Layout: c.layout, LayoutID: c.layouts[1].ID(), Live: n.Claims.Live, Memory: n.mem, Model: n.Model,
		Veto: n.vetoRow,
	})
	return nil
}

// reset returns the node to its first moment. An engine that has said yes to its setup once says so again.
func (n *Node) reset() {
	n.mem.Reset()
	n.Claims, _ = n.Engine.Hello(n.setup)
	n.Worker.Reset()
}

func (n *Node) attach(o cache.Observer, s cache.Stream) {
	n.mem.Attach(o)
	n.Engine.Attach(o)
	n.Worker.Attach(o)
	if x, ok := n.Engine.(engine.Streamer); ok {
		x.AttachStream(s)
	}
}

// cloneInto copies the node's state into one of the same setup, and reports whether it could.
func (n *Node) cloneInto(dst *Node) bool {
	e, can := n.Engine.(engine.Cloner)
	x, canToo := n.Worker.(engine.WorkerCloner)
	if !can || !canToo {
		return false
	}
	n.mem.CloneInto(dst.mem)
	e.CloneInto(dst.Engine)
	x.CloneInto(dst.Worker)
	return true
}

// present is the life that stands in the client's slot now.
func (n *Node) present(c *Client) cache.Req { return n.Engine.View(c.Req).Life }

// client returns the client of a request if the life is its present one, with the counts of that life.
func (n *Node) client(r cache.Req) *Client {
	people := n.world.roster
	c := &people.clients[people.bySlot[r.Slot]]
	if c.Req.Slot != r.Slot || n.Engine.View(r).Life != r {
		return nil
	}
	if c.gen != r.Gen {
		c.gen, c.Issued, c.Done, c.Settled = r.Gen, 0, 0, 0
	}
	return c
}
