// Package sim owns the world: virtual time, the order of events, clients, an engine with its worker and KV memory, faults. It
// drives all of them in one thread, and lets watchers see every step.
//
//	script ──▶ cursor ──▶ verbs ──▶ engine ⇄ worker ──▶ KV memory
//	              ▲         │          │
//	              └── effects under way ──▶ facts ──▶ watchers: ledger, digest, narrator, coverage …
//
// A World is inputs in, facts out: nothing here draws at execution, and the same script gives the same steps on every
// machine. From a test, use package simtest: it runs seeds, and hands a failing one back as a minimal script.
package sim

import (
	"custody/invariants"
	"custody/scheduler/protocol"
)

// World is nodes, their clients and everything under way, at one moment.
type World struct {
	cfg      *setup
	nodes    []Node
	roster   *Roster
	effects  effects
	faults   faults
	cursor   cursor
	now      Time
	step     Step
	work     Work
	watchers []Watcher
	hearers  hearers
	ledger   *invariants.Ledger // nil: nobody checks
	account  *account           // the ledger's client side
	digest   *digester

	plan protocol.Plan // scratch
	spec protocol.Spec
}

// Work counts what a run has done.
type Work struct {
	Steps  int64
	Passes int64
	Copies int64
	Tokens int64 // sampled
	Reads  int64 // KV slots read, layer by layer
}

// newWorld builds a world for the header of a script.
func newWorld(c *setup, o *ExecuteOptions) (*World, error) {
	w := &World{cfg: c, nodes: make([]Node, 1)}
	w.cursor.world = w
	if err := w.Node().start(w); err != nil {
		return nil, err
	}
	w.roster = newRoster(w.Node().Claims.Slots, c.tenants)
	if !o.Unwatched {
		w.ledger = invariants.NewLedger(c.forLedger(w.Node()), o.Promises)
		w.account = &account{ledger: w.ledger, world: w, promises: o.Promises}
		w.digest = &digester{}
		w.watchers = append(w.watchers, w.account, w.digest)
	}
	w.watchers = append(w.watchers, o.Watch...)
	w.attach()
	w.start()
	return w, nil
}

// start lets the watchers begin.
func (w *World) start() {
	w.now, w.step, w.work = 0, Step{Line: -1}, Work{}
	w.cursor.rewind()
	for _, x := range w.watchers {
		x.Start(w)
	}
	if w.cfg.refused {
		w.saw(Fact{Kind: Handshake, Text: w.cfg.handshakeText()})
	}
}

// Reset returns the world to its first moment, and its script to the first line.
func (w *World) Reset() {
	for i := range w.nodes {
		w.nodes[i].reset()
	}
	w.roster.reset()
	w.effects.reset()
	w.faults.reset()
	w.start()
}

// CloneInto copies the world's state into dst, a world of the same setup, so that both go on in the same way. Nothing but the
// script is shared: what happens in one does not show in the other. Of the watchers, only the ledger and the digest go along.
// It reports false if the engine or its worker cannot be copied.
func (w *World) CloneInto(dst *World) bool {
	for i := range w.nodes {
		if !w.nodes[i].cloneInto(&dst.nodes[i]) {
			return false
		}
	}
	w.roster.cloneInto(dst.roster)
	w.effects.cloneInto(&dst.effects)
	w.cursor.cloneInto(&dst.cursor)
	w.faults.cloneInto(&dst.faults)
	dst.now, dst.step, dst.work = w.now, w.step, w.work
	if w.ledger != nil && dst.ledger != nil {
		w.ledger.CloneInto(dst.ledger)
		dst.account.blamed = append(dst.account.blamed[:0], w.account.blamed...)
		*dst.digest = *w.digest
	}
	return true
}
