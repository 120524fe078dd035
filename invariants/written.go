package invariants

var writtenStatement = Statement{
	ID: Written, Name: "written", Unit: "slot reads",
	Sentence: "no slot is read that its present holder has not written or rightfully adopted",
}

// Observes and decides: with `content`. A block gets a new epoch each time it is handed out; a slot remembers the epoch
// in which it was written, and a table entry the epoch in which its block was taken or found. A slot that is unwritten,
// poisoned, or of an earlier epoch than the reader's table entry breaks this promise, even where its content happens to
// be right.
