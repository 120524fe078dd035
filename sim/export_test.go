package sim

import (
	"custody/cache"
	"custody/traces"
)

// What tests outside of the package need of its inside: some of them import what imports it.

// Apply applies an event now.
func Apply(w *World, e *traces.Event) bool { return w.apply(e, 0) }

// RunNext lets the derived event happen that is due first.
func RunNext(w *World) bool { return w.runNext() }

// Memory is the KV memory.
func Memory(w *World) *cache.Memory { return w.Node().mem }
