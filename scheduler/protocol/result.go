package protocol

import "custody/cache"

// Refusal is a worker's answer to a row of a plan that it will not run.
type Refusal struct {
	Req   cache.Req
	Why   Reason
	Final bool // ends it; else it may be planned again
}

// Result is what a pass has computed, row by row of its plan; refused rows are absent.
type Result struct {
	Op   cache.OpID
	Rows []RowResult

	Sampled []cache.Token // room for the tokens of its rows: theirs are parts of it
}

// RowResult is what was sampled for one row.
type RowResult struct {
	Req    cache.Req
	Tokens []cache.Token // none of a chunk that does not reach the last token, one, or one and those drafts that it accepts
}

// Reset empties the result and keeps its room.
func (r *Result) Reset(op cache.OpID) {
	r.Op, r.Rows, r.Sampled = op, r.Rows[:0], r.Sampled[:0]
}

// Add appends a row's result. The tokens are copied.
func (r *Result) Add(req cache.Req, tokens []cache.Token) {
	from := len(r.Sampled)
	r.Sampled = append(r.Sampled, tokens...)
	r.Rows = append(r.Rows, RowResult{Req: req, Tokens: r.Sampled[from:len(r.Sampled):len(r.Sampled)]})
}

// CloneInto copies the result into dst's own room.
func (r *Result) CloneInto(dst *Result) {
	dst.Reset(r.Op)
	for i := range r.Rows {
		dst.Add(r.Rows[i].Req, r.Rows[i].Tokens)
	}
}
