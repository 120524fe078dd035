package sim

import "custody/cache"

// observers tell several what an engine and its worker report, in their order.
type observers []cache.Observer

// observer is nil for nobody, and the one itself for one.
func (l observers) observer() cache.Observer {
	switch len(l) {
	case 0:
		return nil
	case 1:
		return l[0]
	}
	return l
}

// Block implements cache.Observer.
func (l observers) Block(k cache.BlockKind, r cache.Req, b cache.BlockID, op cache.OpID) {
	for _, o := range l {
		o.Block(k, r, b, op)
	}
}

// Touch implements cache.Observer.
func (l observers) Touch(k cache.TouchKind, op cache.OpID, r cache.Req, layer int, run cache.Run) {
	for _, o := range l {
		o.Touch(k, op, r, layer, run)
	}
}

// CopyBlock implements cache.Observer.
func (l observers) CopyBlock(op cache.OpID, c cache.Copy) {
	for _, o := range l {
		o.CopyBlock(op, c)
	}
}

// Op implements cache.Observer.
func (l observers) Op(k cache.OpKind, op cache.OpID, q cache.Queue) {
	for _, o := range l {
		o.Op(k, op, q)
	}
}

// Planned implements cache.Observer.
func (l observers) Planned(op cache.OpID, r cache.Req, run cache.Run) {
	for _, o := range l {
		o.Planned(op, r, run)
	}
}

// PlannedCopy implements cache.Observer.
func (l observers) PlannedCopy(op cache.OpID, r cache.Req, c cache.Copy) {
	for _, o := range l {
		o.PlannedCopy(op, r, c)
	}
}

// Use implements cache.Observer.
func (l observers) Use(u *cache.Used) {
	for _, o := range l {
		o.Use(u)
	}
}

// Sampled implements cache.Observer.
func (l observers) Sampled(op cache.OpID, r cache.Req, pos int32, t cache.Token) {
	for _, o := range l {
		o.Sampled(op, r, pos, t)
	}
}

// Row implements cache.Observer.
func (l observers) Row(k cache.RowKind, row int32, r cache.Req) {
	for _, o := range l {
		o.Row(k, row, r)
	}
}

// Life implements cache.Observer.
func (l observers) Life(r cache.Req, k cache.LifeKind, why cache.Cause) {
	for _, o := range l {
		o.Life(r, k, why)
	}
}

// Count implements cache.Observer.
func (l observers) Count(r cache.Req, settled int32) {
	for _, o := range l {
		o.Count(r, settled)
	}
}

// Try implements cache.Observer.
func (l observers) Try(k cache.TryKind, r cache.Req) {
	for _, o := range l {
		o.Try(k, r)
	}
}

// streams tell several the KV events of an engine, in their order.
type streams []cache.Stream

func (l streams) stream() cache.Stream {
	switch len(l) {
	case 0:
		return nil
	case 1:
		return l[0]
	}
	return l
}

// Stored implements cache.Stream.
func (l streams) Stored(s cache.Stored) {
	for _, x := range l {
		x.Stored(s)
	}
}

// Removed implements cache.Stream.
func (l streams) Removed(key uint64) {
	for _, x := range l {
		x.Removed(key)
	}
}

// Cleared implements cache.Stream.
func (l streams) Cleared() {
	for _, x := range l {
		x.Cleared()
	}
}
