package sim

import (
	"custody/cache"
	"custody/invariants"
	"custody/model/worker"
	"custody/scheduler"
	"custody/traces"
)

// The parts' own configurations.

// layout is that of the KV memory.
func (c *setup) layout() cache.Layout {
	shape := c.model.shape()
	return cache.Layout{
		Blocks: c.i32(traces.Blocks), Layers: int32(shape.layers), BlockTokens: c.i32(traces.Block),
		TokenWords: int32(shape.heads * shape.headDim),
	}
}

func (c *setup) forScheduler() scheduler.Config {
	return scheduler.Config{
		MaxRows: c.i32(traces.Rows), Budget: c.i32(traces.Budget), Chunk: c.i32(traces.Chunk), MaxLen: c.i32(traces.MaxLen),
		MaxQueue: c.i32(traces.Queue), Requeues: c.i32(traces.Requeues), Depth: c.i32(traces.Depth), Vocab: c.i32(traces.Vocab),
		Policy: scheduler.Policy(c.engine[traces.Policy]), Publish: scheduler.PublishPolicy(c.engine[traces.Publish]),
		Overlap: c.engine[traces.Overlap] == 1, Reserve: c.engine[traces.Reserve] == 1, TailCopy: c.engine[traces.Copy] > 0,
		NoWorker: c.refused, Quotas: c.quotas,
	}
}

func (c *setup) forCache(layout cache.Layout) cache.Config {
	return cache.Config{
		Layout: layout, Reqs: c.scheduler.Slots(), MaxLen: c.i32(traces.MaxLen), Prefix: c.engine[traces.Cache] == 1,
		KeyBits: int(c.engine[traces.KeyBits]), Order: cache.FreeOrder(c.engine[traces.Free]),
		Seed: uint64(c.engine[traces.Seed]), Release: c.release(),
	}
}

func (c *setup) forRunner(layout cache.Layout) worker.Config {
	return worker.Config{
		Limits: worker.Limits{
			Rows: int32(c.worker[traces.Rows]), Budget: int32(c.worker[traces.Budget]), MaxLen: int32(c.worker[traces.MaxLen]),
		},
		Layout: layout, LayoutID: c.layouts[1].ID(),
	}
}

func (c *setup) forLedger(layout cache.Layout) invariants.Config {
	return invariants.Config{
		Shape: invariants.Shape{
			Blocks: layout.Blocks, BlockTokens: layout.BlockTokens, Layers: layout.Layers, Slots: c.scheduler.Slots(), Rows: c.runner.Rows,
		},
		Bounds: invariants.Bounds{
			MaxLen: c.scheduler.MaxLen, MaxQueue: c.scheduler.MaxQueue, Vocab: c.scheduler.Vocab, Budget: c.scheduler.Budget,
			MaxRows: c.scheduler.MaxRows, Quotas: c.quotas,
		},
		Claims: invariants.Claims{
			Prefix: c.cache.Prefix, Order: invariants.FirstCome + invariants.Policy(c.scheduler.Policy), TwoQueues: c.scheduler.TailCopy,
		},
		Parties: invariants.Parties{
			Layouts: [][]int64{c.layouts[0][:], c.layouts[1][:], c.layouts[2][:]}, Stricter: c.stricter(), NoWorker: c.refused,
			Markers: c.markers,
		},
	}
}

func (c *setup) i32(k traces.Key) int32 { return int32(c.engine[k]) }

// release is the release policy. With a second queue, blocks cannot return before their operations have settled: the
// order of the passes says nothing about a copy (vLLM defers frees in the same case).
func (c *setup) release() cache.ReleasePolicy {
	if c.engine[traces.Copy] > 0 {
		return cache.ReleaseSettled
	}
	return cache.ReleasePolicy(c.engine[traces.Release])
}

// stricter tells whether a limit of the worker is below the engine's.
func (c *setup) stricter() bool {
	for k := range traces.NumKeys {
		if spec := &traces.Keys[k]; spec.Worker && !spec.Layout && c.worker[k] < c.engine[k] {
			return true
		}
	}
	return false
}
