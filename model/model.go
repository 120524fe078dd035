// Package model is the worker's side of a pass: the runner with its persistent rows, and the model that reads and writes
// KV memory.
//
//	plan ──Issue──▶ rows (bound, extended, cleared) ──snapshot──▶ batch ──Finish──▶ Forward ──▶ result
//
// The runner is fed by plan differences, like the workers of real engines: what a plan does not mention stays as it was.
// It has its own limits and may refuse rows; the scheduler learns of that by a message and undoes its half separately.
package model

import "custody/cache"

// Batch is a pass, ready to be computed. It is fixed when the pass is issued, except that tokens which an earlier pass
// was still to sample are filled in just before.
type Batch struct {
	Op   cache.OpID
	Rows []Row
}

// Row is one request's part of a batch: positions [Start, Start+N) are computed from Input, of which there are N.
type Row struct {
	cache.Used
	Sample bool
	Next   []cache.Token // set by Forward if Sample: the token behind the last position, and what it finds behind that
}

// Model computes a batch. Layer by layer it makes all rows' writes, then all rows' reads, so that a row may read what
// another row of the same batch writes.
type Model interface {
	Forward(b *Batch, mem *cache.Memory)
}
