package invariants

// Written promises: no slot is read that its present holder has not written or rightfully adopted.
//
// Observes: with `content`: every read and write of a slot, every block that is handed out or poisoned.
//
// Decides: a block gets a new epoch each time it is handed out; a slot remembers the epoch in which it was written, and
// a table entry the epoch in which its block was taken or found. A slot that is unwritten, poisoned, or of an earlier
// epoch than the reader's table entry breaks this promise, even where its content happens to be right.
//
// Says: the reader, position, block and layer, what the slot held, and whose tokens it still holds, if anybody's.
const Written ID = 2

const PoisonedAndRewritten Mark = Mark(Written) << markBits

var writtenStatement = Statement{
	ID: Written, Name: "written", Unit: "slot reads",
	Sentence: "no slot is read that its present holder has not written or rightfully adopted",
	Marks: []MarkStatement{
		{Mark: PoisonedAndRewritten, Name: "poisoned-and-rewritten",
			Sentence: "a block was poisoned, and its next holder filled it"},
	},
}
