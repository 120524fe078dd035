package invariants

import "custody/cache"

// writer is a life, as the writer of slots. Slots and client numbers are used again, and what was written stays.
type writer struct {
	number uint32
	client int32
	author uint32 // number of the submission
	domain uint32
	gen    uint32
}

// knownWriters is how many lives are remembered as writers, a power of two. What an older one wrote is still known to be
// wrong where it is wrong, but not whose it was.
const knownWriters = 1 << 16

// newWriter numbers a life that begins.
func (l *Ledger) newWriter(index int32, gen uint32) uint32 {
	l.written++
	c := &l.clients[index]
	for len(l.writers) <= int(l.written%knownWriters) {
		l.writers = append(l.writers, writer{})
	}
	l.writers[l.written%knownWriters] = writer{l.written, index, c.author, c.id.Domain, gen}
	return l.written
}

// writerOf is the number of a life. Lives of one request are numbered one after the other only as long as no other
// begins between them, so an earlier one is looked for backwards.
func (l *Ledger) writerOf(r cache.Req) uint32 {
	x := &l.lives[r.Slot]
	if x.gen == r.Gen && x.live {
		return x.writer
	}
	return l.earlierWriter(r, x)
}

// earlierWriter is the number of a life that has ended.
func (l *Ledger) earlierWriter(r cache.Req, x *life) uint32 {
	author := l.clients[x.client].author
	for n := x.writer; n > 0 && x.writer-n < knownWriters; n-- {
		if w := &l.writers[n%knownWriters]; w.author == author && w.gen == r.Gen {
			return n
		}
	}
	return x.writer
}
