package cache

// unwrittenEntry is an entry that was published before its content was written.
type unwrittenEntry struct {
	block BlockID
	op    OpID // the pass that is to write it
	req   Req
}

// unwritten are the entries whose content an outstanding pass has promised, in the order of publication.
type unwritten []unwrittenEntry

func (u unwritten) has(b BlockID) bool {
	for i := range u {
		if u[i].block == b {
			return true
		}
	}
	return false
}

// forget takes in that a block has no entry any more.
func (u *unwritten) forget(b BlockID) {
	list := *u
	for i := range list {
		if list[i].block == b {
			*u = append(list[:i], list[i+1:]...)
			return
		}
	}
}

// written takes in that a pass has kept its promises.
func (u *unwritten) written(op OpID) {
	kept := (*u)[:0]
	for _, x := range *u {
		if x.op != op {
			kept = append(kept, x)
		}
	}
	*u = kept
}
