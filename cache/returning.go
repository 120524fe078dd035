package cache

// deferral is a block that waits for an operation to settle: to be dropped, or (already free) only to be poisoned.
type deferral struct {
	block  BlockID
	after  OpID
	req    Req
	poison bool
}

// returning are the blocks that an outstanding operation may still touch although nobody is to use them any more.
type returning struct {
	list    []deferral
	busy    []OpID // by block, ReleaseOrdered: an outstanding pass may still touch it although it is free
	settled OpID   // ReleaseOrdered: passes up to this one have settled
}

func newReturning(blocks int32) returning {
	return returning{list: make([]deferral, 0, blocks), busy: make([]OpID, blocks)}
}

func (x *returning) reset() {
	clear(x.busy)
	x.list, x.settled = x.list[:0], 0
}

// touchedUntil notes that a pass may still touch the block. It counts for a shared one too: whoever leaves last need not be
// who is read last.
func (x *returning) touchedUntil(b BlockID, op OpID) { x.busy[b] = max(x.busy[b], op) }

// drop defers the end of a request's reference.
func (x *returning) drop(r Req, b BlockID, after OpID) {
	x.list = append(x.list, deferral{block: b, after: after, req: r})
}

// poisonLater defers the poison of a free block, if a pass may still touch it.
func (x *returning) poisonLater(b BlockID) bool {
	if x.busy[b] <= x.settled {
		return false
	}
	x.list = append(x.list, deferral{block: b, after: x.busy[b], poison: true})
	return true
}

// coming is the number of blocks that will be free when everything deferred has happened.
func (x *returning) coming(refs []int32) int32 {
	n := int32(0)
	for i := range x.list {
		if b := x.list[i].block; x.ending(i+1, b) == refs[b] && !x.list[i].poison {
			n++
		}
	}
	return n
}

// ending is the number of references to the block that the first n deferrals end.
func (x *returning) ending(n int, b BlockID) int32 {
	count := int32(0)
	for i := range x.list[:n] {
		if x.list[i].block == b && !x.list[i].poison {
			count++
		}
	}
	return count
}

func (x *returning) cloneInto(dst *returning) {
	dst.list = append(dst.list[:0], x.list...)
	copy(dst.busy, x.busy)
	dst.settled = x.settled
}
