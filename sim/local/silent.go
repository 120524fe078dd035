package local

import (
	"custody/cache"
	"custody/sim/engine"
)

// silent is the engine with its facts kept to itself, as others keep theirs.
type silent struct{ Engine }

// NewSilent returns an engine that decides as New's does and shows nothing but what every engine shows: plans, outputs, where
// requests stand, and its own books.
func NewSilent() engine.Engine { return &silent{} }

// Hello implements engine.Engine.
func (e *silent) Hello(s engine.Setup) (engine.Claims, error) {
	c, err := e.Engine.Hello(s)
	c.Facts = false
	return c, err
}

// Attach implements engine.Engine: nobody is told anything.
func (e *silent) Attach(cache.Observer) {}

// AttachStream implements engine.Streamer: nobody is told anything.
func (e *silent) AttachStream(cache.Stream) {}

// CloneInto implements engine.Cloner.
func (e *silent) CloneInto(dst engine.Engine) { e.Engine.CloneInto(&dst.(*silent).Engine) }
