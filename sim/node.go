package sim

import (
	"fmt"

	"custody/cache"
	"custody/invariants"
	"custody/model"
	"custody/sim/engine"
	"custody/sim/witness"
	"custody/traces"
)

// Node is one instance: an engine, its worker, and the KV memory of both. A world has one so far.
type Node struct {
	Engine engine.Engine // the one under test
	Worker engine.Worker
	Model  model.Model   // what the worker computes with
	Claims engine.Claims // what the engine says of itself

	door      engine.Engine // who is spoken to: the engine, or its witness
	witnessed bool
	world     *World
	index     int32
	mem       *cache.Memory
	setup     engine.Setup
}

// start makes a node's parts and lets the engine hear its setup. The world may veto what its parts do.
func (n *Node) start(w *World) (err error) {
	c := w.cfg
	n.world, n.mem, n.Model = w, cache.NewMemory(c.layout), c.model.start(int32(c.worker[traces.Vocab]))
	n.Engine = c.parts.engine()
	n.setup = engine.Setup{
		Config: c.engine, Quotas: c.quotas, Layout: c.layout, Memory: n.mem, NoWorker: c.refused, Settings: c.asked.Settings,
		Veto: w.faults.veto,
	}
	if n.Claims, err = n.Engine.Hello(n.setup); err != nil {
		return err
	}
	n.door = n.Engine
	n.Worker = c.parts.worker(engine.WorkerSetup{
		Config: c.worker, Layout: c.layout, LayoutID: c.layouts[1].ID(), Live: n.Claims.Live, Memory: n.mem, Model: n.Model,
		Veto: n.vetoRow,
	})
	return n.meets(c)
}

// reset returns the node to its first moment. An engine that has said yes to its setup once says so again.
func (n *Node) reset() {
	n.mem.Reset()
	claims, err := n.door.Hello(n.setup)
	if err != nil {
		panic(fmt.Sprintf("sim: the engine refuses a setup that it has taken before, and Hello is to make it as new: %v", err))
	}
	n.Claims = claims
	n.Worker.Reset()
}

// attach sets who hears the engine and its worker. For an engine that reports no facts its witness speaks, if anybody listens.
func (n *Node) attach(o cache.Observer, s cache.Stream) {
	n.Worker.Attach(o)
	if x, ok := n.Engine.(engine.Streamer); ok {
		x.AttachStream(s)
	}
	if n.Claims.Facts || o == nil {
		n.mem.Attach(o)
		n.Engine.Attach(o)
		return
	}
	n.mem.Attach(witness.Accesses(o))
	n.door, n.witnessed = witness.New(n.Engine, n.setup, n.Claims), true
	n.door.Attach(o)
}

// hides is what the engine does not show.
func (n *Node) hides() (h invariants.Hidden) {
	if n.Claims.Facts {
		return 0
	}
	h = invariants.HidesFacts
	if n.Claims.Publish == engine.PublishUnsaid {
		h |= invariants.HidesPolicies
	}
	if _, shows := n.Engine.(engine.Looker); !shows {
		h |= invariants.HidesRest
	}
	if _, tells := n.Engine.(engine.Streamer); !tells {
		h |= invariants.HidesStream
	}
	return h
}

// cloneInto copies the node's state into one of the same setup, and reports whether it could.
func (n *Node) cloneInto(dst *Node) bool {
	_, can := n.Engine.(engine.Cloner)
	x, canToo := n.Worker.(engine.WorkerCloner)
	if !can || !canToo || n.witnessed != dst.witnessed {
		return false
	}
	n.mem.CloneInto(dst.mem)
	n.door.(engine.Cloner).CloneInto(dst.door)
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
