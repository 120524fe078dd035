package sim

import (
	"fmt"

	"custody/cache"
)

// touchNoter stands before the teller when a run is recorded: it notes, step by step, what is done to which block.
type touchNoter struct {
	*teller
	now []Touch // of the present step
}

// blockVerbs are what happens to a block, by kind; the first three are a request's doing.
var blockVerbs = [...]string{
	cache.Alloc: "gets it", cache.Adopt: "finds it", cache.Drop: "drops it", cache.Freed: "freed",
	cache.Publish: "findable", cache.Unpublish: "no longer findable", cache.Poison: "poisoned",
}

// Block notes where a block goes.
func (x *touchNoter) Block(k cache.BlockKind, r cache.Req, b cache.BlockID, op cache.OpID) {
	t := Touch{Block: b, What: blockVerbs[k]}
	if k <= cache.Drop {
		t.By = x.who(r)
	}
	x.note(t)
	x.teller.Block(k, r, b, op)
}

// Touch notes who reads and writes a block, once for all layers.
func (x *touchNoter) Touch(k cache.TouchKind, op cache.OpID, r cache.Req, layer int, run cache.Run) {
	verb, size := "reads", x.world.cache.Layout.BlockTokens
	if k == cache.Write {
		verb = "writes"
	}
	for i, from := run.Lo/size, run.Lo; from < run.Hi; i++ {
		to := min((i+1)*size, run.Hi)
		x.note(Touch{Block: run.Table[i], What: fmt.Sprintf("%s [%d,%d)", verb, from-i*size, to-i*size), By: x.who(r)})
		from = to
	}
	x.teller.Touch(k, op, r, layer, run)
}

// CopyBlock notes both ends of a copy.
func (x *touchNoter) CopyBlock(op cache.OpID, c cache.Copy) {
	x.note(Touch{Block: c.From, What: fmt.Sprintf("copied to block %d", c.To)})
	x.note(Touch{Block: c.To, What: fmt.Sprintf("copied from block %d", c.From)})
	x.teller.CopyBlock(op, c)
}

// note notes what has not been noted of this step.
func (x *touchNoter) note(t Touch) {
	for i := range x.now {
		if x.now[i] == t {
			return
		}
	}
	x.now = append(x.now, t)
}

// who is the request of a life.
func (x *touchNoter) who(r cache.Req) Party { return x.world.lifeOf(x.clientOf(r), r.Gen) }
