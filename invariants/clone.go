package invariants

// CloneInto copies the state into dst, a ledger of the same configuration. The promises of a user are not cloned: they
// have state of their own.
func (l *Ledger) CloneInto(dst *Ledger) {
	copy(dst.slots, l.slots)
	copy(dst.runs, l.runs)
	copy(dst.blocks, l.blocks)
	copy(dst.lives, l.lives)
	copy(dst.tables, l.tables)
	copy(dst.rows, l.rows)
	copy(dst.bound, l.bound)
	copy(dst.tenants, l.tenants)
	copy(dst.rowOf, l.rowOf)
	dst.leaving, dst.marks = l.leaving, l.marks
	dst.clients = append(dst.clients[:0], l.clients...)
	dst.tokens = append(dst.tokens[:0], l.tokens...)
	dst.seen = append(dst.seen[:0], l.seen...)
	dst.heard = append(dst.heard[:0], l.heard...)
	dst.tags = append(dst.tags[:0], l.tags...)
	dst.line, dst.running = append(dst.line[:0], l.line...), append(dst.running[:0], l.running...)
	dst.forced, dst.attempt = l.forced, l.attempt
	l.filed.cloneInto(&dst.filed)
	l.mirror.cloneInto(&dst.mirror)
	dst.ops = dst.ops[:0]
	for i := range l.ops {
		dst.cloneOp(&l.ops[i])
	}
	dst.issued, dst.done, dst.queued, dst.offered = l.issued, l.done, l.queued, l.offered
	dst.writers = append(dst.writers[:0], l.writers...)
	dst.authors, dst.written = l.authors, l.written
	dst.step, dst.event = l.step, l.event
	dst.checks, dst.broken = l.checks, l.broken
	dst.breaches = append(dst.breaches[:0], l.breaches...)
}

func (l *Ledger) cloneOp(from *operation) {
	l.open(from.op, from.queue)
	to := &l.ops[len(l.ops)-1]
	to.rows, to.holds = append(to.rows, from.rows...), append(to.holds, from.holds...)
	to.next = from.next
}
