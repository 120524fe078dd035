package explain

import "custody/cache"

// inattentive is an observer that hears nothing: those that want to hear something embed it.
type inattentive struct{}

// Block implements cache.Observer.
func (inattentive) Block(cache.BlockKind, cache.Req, cache.BlockID, cache.OpID) {}

// Touch implements cache.Observer.
func (inattentive) Touch(cache.TouchKind, cache.OpID, cache.Req, int, cache.Run) {}

// CopyBlock implements cache.Observer.
func (inattentive) CopyBlock(cache.OpID, cache.Copy) {}

// Op implements cache.Observer.
func (inattentive) Op(cache.OpKind, cache.OpID, cache.Queue) {}

// Planned implements cache.Observer.
func (inattentive) Planned(cache.OpID, cache.Req, cache.Run) {}

// PlannedCopy implements cache.Observer.
func (inattentive) PlannedCopy(cache.OpID, cache.Req, cache.Copy) {}

// Use implements cache.Observer.
func (inattentive) Use(*cache.Used) {}

// Sampled implements cache.Observer.
func (inattentive) Sampled(cache.OpID, cache.Req, int32, cache.Token) {}

// Row implements cache.Observer.
func (inattentive) Row(cache.RowKind, int32, cache.Req) {}

// Life implements cache.Observer.
func (inattentive) Life(cache.Req, cache.LifeKind, cache.Cause) {}

// Count implements cache.Observer.
func (inattentive) Count(cache.Req, int32) {}

// Try implements cache.Observer.
func (inattentive) Try(cache.TryKind, cache.Req) {}
