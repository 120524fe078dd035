package invariants

import "custody/cache"

// rowBook is which request each of the worker's rows is bound to.
type rowBook struct {
	reqs   []cache.Req
	bound  []bool
	domain []uint64 // that it was last bound for, plus one; 0: none yet
}

func newRowBook(rows int32) rowBook {
	return rowBook{reqs: make([]cache.Req, rows), bound: make([]bool, rows), domain: make([]uint64, rows)}
}

func (k *rowBook) reset() {
	clear(k.bound)
	clear(k.domain)
}

func (k *rowBook) cloneInto(dst *rowBook) {
	copy(dst.reqs, k.reqs)
	copy(dst.bound, k.bound)
	copy(dst.domain, k.domain)
}

// isBound tells whether a row exists and is bound to the request.
func (k *rowBook) isBound(row int32, r cache.Req) bool {
	return row >= 0 && int(row) < len(k.reqs) && k.bound[row] && k.reqs[row] == r
}
