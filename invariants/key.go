package invariants

import "custody/cache"

// Key promises: a lookup never answers one identity with another's blocks, whatever the keys do; every tier
// derives the same key.
//
// Observes: blocks published and blocks found.
//
// Decides: when a block is published, the ledger notes the identity and the content that it was filed for, from the
// client's side. When it is found for a request, both must be the request's own. There is one tier so far.
//
// Says: the request that was given the block, the block, and who had published it for what else.
const Key ID = 3

// KeysCollided is reached when a lookup met an entry of other content under its key, and passed it over.
const KeysCollided Mark = Mark(Key) << markBits

var keyStatement = Statement{
	ID: Key, Name: "key", Unit: "blocks found",
	Needs: HidesPolicies,
	Sentence: "a lookup never answers one identity with another's blocks, whatever the keys do; every tier derives " +
		"the same key",
	Marks: []MarkStatement{
		{Mark: KeysCollided, Name: "keys-collided",
			Sentence: "a lookup met an entry of other content under its key, and passed it over"},
	},
}

func checkFound(l *Ledger, r cache.Req, b cache.BlockID) {
	checkEntry(l, r, b)
	l.checks[Key]++
	x := &l.index.entries[b]
	if !x.published {
		return // `publish` says so
	}
	a := l.owner(r)
	// the source of a tail copy stands in the table behind the blocks of all tokens, and was found for the last one
	end := min((l.blocks.lengths[r.Slot]+1)*l.memory.size, l.knownTokens(r))
	l.accounts.extend(a, end)
	markShares(l, r, a, x)
	if x.id == a.id && x.tag == l.accounts.tagsOf(a)[end-1] {
		return
	}
	detail := "a block was found for other tokens than it was filed for"
	if x.id != a.id {
		detail = "a block was found under another identity than it was filed for"
	}
	y := blamed(Key, a.client, b, detail)
	y.Writer, y.Relation = l.writtenBy(r, a, x.life)
	l.breach(y)
}
