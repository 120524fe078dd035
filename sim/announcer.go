package sim

import (
	"fmt"

	"custody/cache"
)

// announcer sends an engine's KV events on to the ledger, and in their written form to whoever listens.
type announcer struct {
	to   cache.Stream
	step *int64
	seq  int64
	tell func(KVEvent)
}

// attachStream lets the ledger, and whoever wants to, follow the engine's KV events.
func (w *world) attachStream(o worldOptions) {
	switch {
	case o.kvEvents != nil:
		w.pool.AttachStream(&announcer{to: w.ledger.Stream(), step: &w.step, tell: o.kvEvents})
	case !o.bare:
		w.pool.AttachStream(w.ledger.Stream())
	}
}

// Stored implements cache.Stream.
func (a *announcer) Stored(s cache.Stored) {
	e := KVEvent{Hashes: []string{hexKey(s.Key)}, BlockSize: len(s.Tokens)}
	for _, t := range s.Tokens {
		e.Tokens = append(e.Tokens, int32(t))
	}
	if s.First {
		e.Identity = &KVEventRoot{Domain: s.ID.Domain, Adapter: s.ID.Adapter, Epoch: s.ID.Epoch, Layout: s.ID.Layout}
	} else {
		e.Parent = hexKey(s.Parent)
	}
	a.announce(kvStored, e)
	a.to.Stored(s)
}

// Removed implements cache.Stream.
func (a *announcer) Removed(key uint64) {
	a.announce(kvRemoved, KVEvent{Hashes: []string{hexKey(key)}})
	a.to.Removed(key)
}

// Cleared implements cache.Stream.
func (a *announcer) Cleared() {
	a.announce(kvCleared, KVEvent{})
	a.to.Cleared()
}

func (a *announcer) announce(kind string, e KVEvent) {
	a.seq++
	e.Seq, e.Step, e.Type = a.seq, *a.step, kind
	a.tell(e)
}

func hexKey(key uint64) string { return fmt.Sprintf("%016x", key) }
