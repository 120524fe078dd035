// Package model is what computes a pass: it reads and writes KV memory and samples tokens.
//
//	worker ──batch──▶ Forward ──▶ tokens
//	                    │
//	                    ▼
//	    layer by layer: all rows' writes, then all rows' reads
//
// Here stand the interface, the hash model that hunts, the fields in which two parties must agree, and the tokens of text.
// The worker that makes batches of plans is package worker, the transformer is package llama.
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
