package explain

import "custody/cache"

// deaf is an observer that hears nothing: those that want to hear something embed it.
type deaf struct{}

// Block implements cache.Observer.
func (deaf) Block(cache.BlockKind, cache.Req, cache.BlockID, cache.OpID) {}

// Touch implements cache.Observer.
func (deaf) Touch(cache.TouchKind, cache.OpID, cache.Req, int, cache.Run) {}

// CopyBlock implements cache.Observer.
func (deaf) CopyBlock(cache.OpID, cache.Copy) {}

// Op implements cache.Observer.
func (deaf) Op(cache.OpKind, cache.OpID, cache.Queue) {}

// Planned implements cache.Observer.
func (deaf) Planned(cache.OpID, cache.Req, cache.Run) {}

// PlannedCopy implements cache.Observer.
func (deaf) PlannedCopy(cache.OpID, cache.Req, cache.Copy) {}

// Use implements cache.Observer.
func (deaf) Use(*cache.Used) {}

// Sampled implements cache.Observer.
func (deaf) Sampled(cache.OpID, cache.Req, int32, cache.Token) {}

// Row implements cache.Observer.
func (deaf) Row(cache.RowKind, int32, cache.Req) {}

// Life implements cache.Observer.
func (deaf) Life(cache.Req, cache.LifeKind, cache.Cause) {}

// Count implements cache.Observer.
func (deaf) Count(cache.Req, int32) {}

// Try implements cache.Observer.
func (deaf) Try(cache.TryKind, cache.Req) {}
