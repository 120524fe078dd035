package sim

import (
	"custody/scheduler/protocol"
	"custody/traces"
)

// digester sums up what a run does, so that two runs can be told apart: every step with its time, every plan, token,
// submission and delivery.
type digester struct{ sum traces.Digest }

// Start implements Watcher.
func (d *digester) Start(*World) { d.sum = traces.Digest{} }

// Begin implements Watcher.
func (d *digester) Begin(s Step) { d.sum.Add(uint64(s.Kind)<<56 ^ uint64(s.Time)) }

// End implements Watcher.
func (d *digester) End(Step) {}

// Hears chooses what it is told.
func (d *digester) Hears(k FactKind) bool {
	switch k {
	case Accepted, Rejected, Cleared, Issued, Finished, Delivered, Begun:
		return true
	}
	return false
}

// Saw implements Watcher.
func (d *digester) Saw(f *Fact) {
	switch f.Kind {
	case Accepted, Rejected:
		d.sum.Add(uint64(f.Life.Slot)<<32 ^ uint64(f.Life.Gen)<<16 ^ uint64(f.Why))
	case Cleared, Issued:
		d.sum.Add(uint64(f.Plan.Op)<<32 ^ uint64(len(f.Plan.Rows))<<16 ^ uint64(len(f.Plan.Ended)))
	case Finished:
		for i := range f.Operation.Result.Rows {
			d.addResult(&f.Operation.Result.Rows[i])
		}
	case Delivered:
		if f.Why == protocol.NoReason {
			d.sum.Add(uint64(f.Client)<<32 ^ uint64(f.Token))
		} else {
			d.sum.Add(uint64(f.Client)<<32 ^ uint64(f.Why)<<16)
		}
	}
}

// addResult takes a row's result in.
func (d *digester) addResult(r *protocol.RowResult) {
	slot := uint64(r.Req.Slot) << 32
	if len(r.Tokens) == 0 {
		d.sum.Add(slot)
	}
	for _, t := range r.Tokens {
		d.sum.Add(slot ^ uint64(t))
	}
}
