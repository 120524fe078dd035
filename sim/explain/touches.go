package explain

import (
	"fmt"

	"custody/cache"
	"custody/sim"
)

// toucher notes, step by step, what is done to which block while a run is recorded.
type toucher struct {
	inattentive
	*Recording
}

// blockVerbs are what happens to a block, by kind; the first three are a request's doing.
var blockVerbs = [...]string{
	cache.Alloc: "gets it", cache.Adopt: "finds it", cache.Drop: "drops it", cache.Freed: "freed",
	cache.Publish: "findable", cache.Unpublish: "no longer findable", cache.Poison: "poisoned",
}

// Block implements cache.Observer: it notes where a block goes.
func (x *toucher) Block(k cache.BlockKind, r cache.Req, b cache.BlockID, _ cache.OpID) {
	t := Touch{Block: b, What: blockVerbs[k]}
	if k <= cache.Drop {
		t.By = x.who(r)
	}
	x.note(t)
}

// Touch implements cache.Observer: it notes who reads and writes a block, once for all layers.
func (x *toucher) Touch(k cache.TouchKind, _ cache.OpID, r cache.Req, _ int, run cache.Run) {
	verb, size := "reads", x.narrator.world.Layout().BlockTokens
	if k == cache.Write {
		verb = "writes"
	}
	for i, from := run.Lo/size, run.Lo; from < run.Hi; i++ {
		to := min((i+1)*size, run.Hi)
		x.note(Touch{Block: run.Table[i], What: fmt.Sprintf("%s [%d,%d)", verb, from-i*size, to-i*size), By: x.who(r)})
		from = to
	}
}

// CopyBlock implements cache.Observer: it notes both ends of a copy.
func (x *toucher) CopyBlock(_ cache.OpID, c cache.Copy) {
	x.note(Touch{Block: c.From, What: fmt.Sprintf("copied to block %d", c.To)})
	x.note(Touch{Block: c.To, What: fmt.Sprintf("copied from block %d", c.From)})
}

// note notes what has not been noted of this step.
func (x *toucher) note(t Touch) {
	for i := range x.touches {
		if x.touches[i] == t {
			return
		}
	}
	x.touches = append(x.touches, t)
}

// who is the request of a life.
func (x *toucher) who(r cache.Req) sim.Party {
	return x.narrator.world.Roster().Life(x.narrator.lives.clientOf(r), r.Gen)
}
