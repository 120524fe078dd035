// Package protocol is what a scheduler and a worker say to one another, and what a client says to both of them.
//
//	client ──Spec──▶ scheduler ──Plan──▶ worker
//	       ◀─Output─           ◀─Refusal, Result─
//
// A plan is an operation: a pass over some requests' positions, or a copy of blocks. It is sent as a difference to what
// the worker already knows. The package holds words and the table of refusals; it decides nothing.
package protocol

import "custody/cache"

// Spec is what a client submits.
type Spec struct {
	Name     uint32 // the client's name for it; legal again after its end
	Tenant   int32  // index into Config.Quotas; anything else is a tenant the engine does not know
	ID       cache.Identity
	Prompt   []cache.Token
	Max      int32       // output tokens, at the most
	EOS      cache.Token // the token that ends it; -1 for none
	Priority int32       // lower is sooner, under the priority policy
	Sampling cache.Sampling
}

// Plan is an operation for a worker, sent as a difference: new rows whole, others with what was appended to them,
// ended rows by name. A plan with Op 0 only names ended rows.
type Plan struct {
	Op     cache.OpID
	Queue  cache.Queue
	Rows   []Row
	Copies []Copy
	Ended  []cache.Req

	Refs []TokenRef // room for the tokens of its rows: theirs are parts of it
}

// Reset empties the plan and keeps its room.
func (p *Plan) Reset() {
	*p = Plan{Rows: p.Rows[:0], Copies: p.Copies[:0], Ended: p.Ended[:0], Refs: p.Refs[:0]}
}

// Add appends an empty row, to be filled where it stands.
func (p *Plan) Add() *Row {
	n := len(p.Rows)
	if n < cap(p.Rows) {
		p.Rows = p.Rows[:n+1]
		p.Rows[n] = Row{}
	} else {
		p.Rows = append(p.Rows, Row{})
	}
	return &p.Rows[n]
}

// Row is one request's part of a pass: its positions [Start, Start+N) are to be computed.
type Row struct {
	Req      cache.Req
	New      bool // the worker has no row for it yet: Tokens and Blocks are complete
	Resumed  bool // the worker may have a row for an earlier life of it, to be forgotten: Tokens and Blocks are complete
	Whole    bool // Blocks take the place of the row's table: an engine that rewrites live tables sends them whole
	ID       cache.Identity
	Start, N int32
	Tokens   []TokenRef      // appended to the row
	Blocks   []cache.BlockID // appended to the row's table, unless Whole
	Sampling cache.Sampling
	Sample   bool // the last position's successor is to be sampled
}

// TokenRef is a token, or (Op not 0) one that an outstanding pass samples: the At-th of the tokens for row Row of its plan.
type TokenRef struct {
	Token cache.Token
	Op    cache.OpID
	Row   int32
	At    int32
}

// Copy is a block copy for a request.
type Copy struct {
	Req cache.Req
	cache.Copy
	Table []cache.BlockID // of one without a row: all that it holds; the last is what is copied, and goes when it has been
}

// Output is a message to a client: a token, or (Why not NoReason) its request's end.
type Output struct {
	Req   cache.Req
	Token cache.Token
	Why   Reason
}
