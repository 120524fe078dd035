package protocol

// Live says what of a worker's rows is memory that a pass reads when it is finished: what a later plan has changed by then,
// it finds changed. The rest is copied when the pass is issued, and later plans do not reach it. An engine declares it, for
// it decides what it may change while a pass is outstanding (SGLang rewrites the table of a row that a pass is reading).
type Live uint8

// What may be live.
const (
	LiveTokens Live = 1 << iota // the input tokens
	LiveTable                   // the block table
)
