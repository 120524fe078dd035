package sim

import (
	"custody/cache"
	"custody/invariants"
	"custody/traces"
)

// What a world shows to those who watch it.

// Step is the present step.
func (w *World) Step() Step { return w.step }

// Work is what has been done so far, slot reads aside.
func (w *World) Work() Work { return w.work }

// Roster are the clients.
func (w *World) Roster() *Roster { return w.roster }

// Ledger is who watches over the promises; nil in a bare world.
func (w *World) Ledger() *invariants.Ledger { return w.ledger }

// Script is the script that is being carried out.
func (w *World) Script() *traces.Script { return w.cursor.script }

// Configs are what the engine and the worker are configured with.
func (w *World) Configs() (own, worker *traces.Config) { return &w.cfg.engine, &w.cfg.worker }

// Layout is that of the KV memory.
func (w *World) Layout() cache.Layout { return w.cfg.layout }

// Model is whose KV is watched; nil is the hash model.
func (w *World) Model() *WorkerModel { return w.cfg.model }

// Node is the instance that is at work.
func (w *World) Node() *Node { return &w.nodes[0] }

// UnderWay are the effects that have been caused and have not happened yet, the next one first; valid until the next step.
func (w *World) UnderWay() []Effect { return w.effects.list }

// Outstanding is the number of a queue's operations that have been issued and have not settled.
func (w *World) Outstanding(q cache.Queue) int32 { return w.effects.out[q] }

// OpPhase is where an operation stands.
type OpPhase uint8

// The phases of an operation.
const (
	PhaseIdle     OpPhase = iota // settled or lost, or there is none
	PhaseIssued                  // issued, not finished
	PhaseFinished                // finished, not settled
	NumPhases
)

func (p OpPhase) String() string { return [NumPhases]string{"idle", "issued", "finished"}[p] }

// PhaseOf is where an operation stands.
func (w *World) PhaseOf(op cache.OpID) OpPhase {
	for i := range w.effects.list {
		e := &w.effects.list[i]
		if e.Op == nil || e.Op.Op != op {
			continue
		}
		if e.Kind == StepSettle {
			return PhaseFinished
		}
		return PhaseIssued
	}
	return PhaseIdle
}

// Bytes is about what a copy of the world takes: for each slot of a layer its words and the ledger's entry, for each token
// of a client, of the request table and of a row what is kept by position.
func (w *World) Bytes() int64 {
	l, c := w.cfg.layout, &w.cfg.engine
	slots := int64(l.Layers) * int64(l.Blocks) * int64(l.BlockTokens)
	texts := min(int64(w.cursor.script.Size()), maxClients) + int64(w.Node().Claims.Slots) + w.cfg.worker[traces.Rows]
	return slots*int64(8*l.TokenWords+24) + texts*c[traces.MaxLen]*16 + 1<<14
}
