package cache

// Stream is told of every change of what the prefix cache can answer, as it happens: the KV event stream, from which a
// router outside learns which worker holds what (vLLM's BlockStored, BlockRemoved, AllBlocksCleared). It speaks of
// content and not of blocks: two blocks of one content are stored once, and removed when the last of them is. A nil
// Stream is told nothing. Tokens are only valid during the call.
type Stream interface {
	Stored(s Stored)
	Removed(key uint64)
	Cleared()
}

// Stored is content that can be found from now on: one block of tokens behind a parent.
type Stored struct {
	Key    uint64
	Parent uint64 // key of the block before it; means nothing for the first block
	First  bool
	ID     Identity // what the chain starts from
	Tokens []Token
}
