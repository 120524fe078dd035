package traces

// AnchorKind says what an anchored event waits for, counted in the named request's present life.
type AnchorKind uint8

// The anchors. An anchored event is armed at its line and fires once, at the earliest later point.
const (
	Now        AnchorKind = iota
	WhenTokens            // when tokens=N: N output tokens have settled
	WhenChunk             // when chunk=N: N passes with it have settled
	WhenIssued            // when issued=N: N passes with it have been issued
	WhenDone              // when done=N: N passes with it have finished on the worker
	WhenState             // when state=S
	NumAnchors
)

// States are the words after `state=`, by number. The scheduler's lifecycle has the same states in the same order.
var States = []string{"absent", "waiting", "loading", "loaded", "prefill", "decode", "preempted", "ended"}

// Anchor delays an event until its request has reached a point.
type Anchor struct {
	Kind AnchorKind
	N    int32 // a count, or an index into States
}

// anchors is the table of what may follow `when`, by AnchorKind.
var anchors = [NumAnchors]struct{ word, doc string }{
	WhenTokens: {"tokens", "that many of its output tokens have settled"},
	WhenChunk:  {"chunk", "that many passes with it have settled"},
	WhenIssued: {"issued", "that many passes with it have been issued"},
	WhenDone:   {"done", "that many passes with it have finished on the worker"},
	WhenState:  {"state", "it is in that state"},
}
