package sim

import (
	"custody/cache"
	"custody/model"
	"custody/sim/engine"
	"custody/traces"
)

// node is one instance: an engine, its worker, and the KV memory of both. A world has one so far.
type node struct {
	engine engine.Engine
	worker engine.Worker
	mem    *cache.Memory
	model  model.Model
	claims engine.Claims
	setup  engine.Setup
}

// start makes a node's parts and lets the engine hear its setup. The world may veto what its parts do.
func (n *node) start(c *setup, w *World) (err error) {
	n.mem = cache.NewMemory(c.layout)
	n.engine = c.parts.engine()
	n.model = c.model.start(int32(c.worker[traces.Vocab]))
	n.worker = c.parts.worker(engine.WorkerSetup{
		Config: c.worker, Layout: c.layout, LayoutID: c.layouts[1].ID(), Memory: n.mem, Model: n.model,
		Veto: w.vetoRow,
	})
	n.setup = engine.Setup{
		Config: c.engine, Quotas: c.quotas, Layout: c.layout, Memory: n.mem, NoWorker: c.refused,
		Veto: w.faults.vetoBlock,
	}
	n.claims, err = n.engine.Hello(n.setup)
	return err
}

// reset returns the node to its first moment. An engine that has said yes to its setup once says so again.
func (n *node) reset() {
	n.mem.Reset()
	n.claims, _ = n.engine.Hello(n.setup)
	n.worker.Reset()
}

func (n *node) attach(o cache.Observer, s cache.Stream) {
	n.mem.Attach(o)
	n.engine.Attach(o)
	n.worker.Attach(o)
	if x, ok := n.engine.(engine.Streamer); ok {
		x.AttachStream(s)
	}
}

// cloneInto copies the node's state into one of the same setup, and reports whether it could.
func (n *node) cloneInto(dst *node) bool {
	e, can := n.engine.(engine.Cloner)
	x, canToo := n.worker.(engine.WorkerCloner)
	if !can || !canToo {
		return false
	}
	n.mem.CloneInto(dst.mem)
	e.CloneInto(dst.engine)
	x.CloneInto(dst.worker)
	return true
}
