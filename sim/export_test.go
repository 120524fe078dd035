package sim

import (
	"custody/cache"
	"custody/traces"
)

// What tests outside of the package need of its inside: some of them import what imports it.

// Apply applies an event now.
func (w *World) Apply(e *traces.Event) bool { return w.apply(e, 0) }

// RunNext lets the derived event happen that is due first.
func (w *World) RunNext() bool { return w.runNext() }

// Memory is the KV memory.
func (w *World) Memory() *cache.Memory { return w.Node().mem }
