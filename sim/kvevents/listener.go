package kvevents

import (
	"fmt"

	"custody/cache"
	"custody/sim"
)

// Listener is a watcher that hears the engine's KV events and tells them in their written form.
type Listener struct {
	tell func(Record)
	seq  int64
	step int64
}

// Listen returns a watcher that tells every KV event of a run, in order.
func Listen(tell func(Record)) *Listener { return &Listener{tell: tell} }

// Start implements sim.Watcher.
func (l *Listener) Start(*sim.World) { l.seq, l.step = 0, 0 }

// Begin implements sim.Watcher.
func (l *Listener) Begin(s sim.Step) { l.step = s.Number }

// Saw implements sim.Watcher.
func (l *Listener) Saw(*sim.Fact) {}

// End implements sim.Watcher.
func (l *Listener) End(sim.Step) {}

// Stream implements sim.Streaming.
func (l *Listener) Stream() cache.Stream { return l }

// Stored implements cache.Stream.
func (l *Listener) Stored(s cache.Stored) {
	e := Record{Hashes: []string{hexKey(s.Key)}, BlockSize: len(s.Tokens)}
	for _, t := range s.Tokens {
		e.Tokens = append(e.Tokens, int32(t))
	}
	if s.First {
		e.Identity = &Root{Domain: s.ID.Domain, Adapter: s.ID.Adapter, Epoch: s.ID.Epoch, Layout: s.ID.Layout}
	} else {
		e.Parent = hexKey(s.Parent)
	}
	l.announce(stored, e)
}

// Removed implements cache.Stream.
func (l *Listener) Removed(key uint64) { l.announce(removed, Record{Hashes: []string{hexKey(key)}}) }

// Cleared implements cache.Stream.
func (l *Listener) Cleared() { l.announce(cleared, Record{}) }

func (l *Listener) announce(kind string, e Record) {
	l.seq++
	e.Seq, e.Step, e.Type = l.seq, l.step, kind
	l.tell(e)
}

func hexKey(key uint64) string { return fmt.Sprintf("%016x", key) }
