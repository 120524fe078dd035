package local

import (
	"custody/cache"
	"custody/model/worker"
	"custody/sim/engine"
	"custody/traces"
)

// runner is the worker as a world sees it.
type runner struct{ *worker.Runner }

// NewWorker returns Custody's own worker.
func NewWorker(s engine.WorkerSetup) engine.Worker {
	c := &s.Config
	limits := worker.Limits{Rows: i32(c, traces.Rows), Budget: i32(c, traces.Budget), MaxLen: i32(c, traces.MaxLen)}
	own := worker.Config{Limits: limits, Layout: s.Layout, LayoutID: s.LayoutID, Live: s.Live, Veto: s.Veto}
	return runner{worker.New(own, s.Model, s.Memory)}
}

// CloneInto implements engine.WorkerCloner.
func (w runner) CloneInto(dst engine.Worker) { w.Runner.CloneInto(dst.(runner).Runner) }

// Row implements engine.WorkerLooker.
func (w runner) Row(i int32) (computed int32, table []cache.BlockID) {
	s := w.RowState(i)
	return s.Computed, s.Table
}
